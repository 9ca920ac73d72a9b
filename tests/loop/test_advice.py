import pytest

from fernjax.loop.advice import MAX_ADVICE, advise
from fernjax.loop.diagnose import Finding

KINDS = {
    ("over_abstention", "track_order+list_orders"): "[track_order]",
    ("confusion", "a>b"): "[a] and [b]",
    ("confusion", "a>out_of_scope"): "[a]",
    ("confusion", "out_of_scope>a"): "[out_of_scope]",
    ("force_fit", "a"): "[out_of_scope]",
    ("calls", "too few"): "recipe.buckets.multi_call",
    ("dropped", "a.title"): "[a]",
    ("invented", "a.title"): "[a]",
    ("span", "a.title"): "[a] <title>",
    ("role", "a.date>new_date"): "[a]",
    ("choice", "a.kind"): "[a]",
    ("memorised", "oov_values"): "the pools",
}


@pytest.mark.parametrize("fault", KINDS, ids=str)
def test_every_kind_names_a_place(fault):
    (told,) = advise([Finding(*fault, {"gate": (3, 90)})])
    assert told["place"] == KINDS[fault] and told["counts"] == {"gate": [3, 90]}
    assert told["advice"]


def test_what_real_sentences_show_comes_first_and_little_is_told():
    rare = Finding("span", "a.title", {"gate": (2, 90), "generated": (0, 900)})
    common = [Finding("dropped", f"a.x{i}", {"generated": (400 - i, 900)}) for i in range(9)]
    told = advise([*common, rare])
    assert [t["subject"] for t in told][:3] == ["a.title", "a.x0", "a.x1"]
    assert len(told) == MAX_ADVICE


def test_what_no_phrasing_mends_is_left_out():
    assert (
        advise([Finding("error", "a", {"gate": (3, 90)}), Finding("bucket", "messy", {"generated": (3, 9)})])
        == []
    )
