"""Ids, channels, handles, addresses and phone numbers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fernjax.sim.mentions import extract

NOW = "2026-03-04T09:30:00"  # A Wednesday.
DATES = frozenset({"date", "datetime", "date_range", "datetime_range", "ordinal"})
CLOCK = frozenset({"time", "time_range", "number"})
TRACKER = DATES | {"id"}
CHAT = DATES | CLOCK | {"channel", "handle", "duration"}
MAIL = DATES | CLOCK | {"email", "phone"}


def find(text: str, kinds: frozenset[str] | None) -> list[tuple[str, str, object]]:
    return [(m.kind, text[m.start : m.end], m.value) for m in extract(text, NOW, kinds)]


@pytest.mark.parametrize(
    ("text", "words", "value"),
    [
        ("close OPS-142", "OPS-142", "OPS-142"),
        ("close ops 142", "ops 142", "OPS-142"),
        ("close ops142", "ops142", "OPS-142"),
        ("close ticket 142 in ops", "ticket 142 in ops", "OPS-142"),
        ("the ops ticket 142", "ops ticket 142", "OPS-142"),
        ("ticket 9 of the kitchen project", "ticket 9 of the kitchen project", "KITCHEN-9"),
        ("reopen ticket number 142", "ticket number 142", "142"),
        ("close one forty two", "one forty two", "142"),
        ("close one four two", "one four two", "142"),
        ("close one hundred and forty two", "one hundred and forty two", "142"),
        ("ops one forty two is done", "ops one forty two", "OPS-142"),
        ("ops dash twelve oh three", "ops dash twelve oh three", "OPS-1203"),
        ("reopen #142", "#142", "142"),
        ("reopen ops #142", "ops #142", "OPS-142"),
        ("assign bug 77 to mia", "bug 77", "77"),
        ("send q a dash 9 to mia", "q a dash 9", "QA-9"),
        ("u i fifty is mine", "u i fifty", "UI-50"),
        ("start zeb 12", "zeb 12", "ZEB-12"),
        ("close 142", "142", "142"),
        ("mark 8 done", "8", "8"),
        ("move ticket 142 in progress", "ticket 142", "142"),
        ("OPS-150's owner", "OPS-150", "OPS-150"),
        ("sec-2 too", "sec-2", "SEC-2"),
        ("plat 8 depends on it", "plat 8", "PLAT-8"),
        ("pay 13 needs a tag", "pay 13", "PAY-13"),
        ("HR 1038 is late", "HR 1038", "HR-1038"),
        ("label docs-252: waiting", "docs-252", "DOCS-252"),
        ("a label for GEO-8", "GEO-8", "GEO-8"),
        ("close web a hundred and two", "web a hundred and two", "WEB-102"),
    ],
)
def test_ids(text, words, value):
    assert find(text, TRACKER) == [("id", words, value)]


@pytest.mark.parametrize(
    "text",
    ["list the top 10 bugs", "http 500 on login", "it takes 3 days", "covid-19", "call pump 4.5",
     "incident-0303",     "version 2.1", "50% done", "room 12", "get a w-2", "2 hr 30 left", "the old one"],
)  # fmt: skip
def test_what_is_no_id(text):
    assert [k for k, _, _ in find(text, TRACKER) if k == "id"] == []


def test_ids_beside_dates_and_each_other():
    assert find("OPS-1 blocks web 2", TRACKER) == [("id", "OPS-1", "OPS-1"), ("id", "web 2", "WEB-2")]
    assert find("ops 12 and 13 by friday", TRACKER) == [
        ("id", "ops 12", "OPS-12"),
        ("id", "13", "OPS-13"),
        ("date", "friday", "2026-03-06"),
    ]
    assert find("web 3 is due may 2", TRACKER) == [("id", "web 3", "WEB-3"), ("date", "may 2", "2026-05-02")]


def test_a_bare_number_is_an_id_for_a_tracker_alone():
    assert find("close 142", None) == [("number", "142", 142)]
    assert find("play song no 10", None) == [("number", "10", 10)]
    assert find("close OPS-142", None) == [("id", "OPS-142", "OPS-142")]


@pytest.mark.parametrize(
    ("text", "words", "value"),
    [
        ("post in #design-review", "#design-review", "design-review"),
        ("post in #Sales_EMEA please", "#Sales_EMEA", "sales_emea"),
        ("in the design review channel", "design review channel", "design-review"),
        ("tell the channel design review we ship", "channel design review", "design-review"),
        ("hash design dash review", "hash design dash review", "design-review"),
        ("hash design review channel", "hash design review channel", "design-review"),
        ("open hash q three dash plans", "hash q three dash plans", "q3-plans"),
        ("mute hash standup", "hash standup", "standup"),
        ("the release-0417 channel", "release-0417 channel", "release-0417"),
        ("a channel called road trip", "channel called road trip", "road-trip"),
        ("new chanel 'book-club'", "chanel 'book-club'", "book-club"),
    ],
)
def test_channels(text, words, value):
    assert find(text, CHAT) == [("channel", words, value)]


@pytest.mark.parametrize(
    "text", ["mute the channel", "a private channel for us", "hash browns", "#", "# 1", "##"]
)
def test_what_is_no_channel(text):
    assert [k for k, _, _ in find(text, CHAT) if k == "channel"] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@ana are you in", [("handle", "@ana", "ana")]),
        ("ask @lena_k, @j.doe.", [("handle", "@lena_k", "lena_k"), ("handle", "@j.doe", "j.doe")]),
        ("see you @ 3pm", [("time", "3pm", "15:00")]),
        ("lunch @noon", [("time", "noon", "12:00")]),
        ("hey@you", []),
    ],
)
def test_handles(text, expected):
    assert find(text, CHAT) == expected


@pytest.mark.parametrize(
    ("text", "words", "value"),
    [
        ("mail ana@example.org.", "ana@example.org", "ana@example.org"),
        (
            "to J.Doe+News@mail.example.co.uk",
            "J.Doe+News@mail.example.co.uk",
            "J.Doe+News@mail.example.co.uk",
        ),
        ("ana dot ruiz at example dot org", "ana dot ruiz at example dot org", "ana.ruiz@example.org"),
        (
            "i am li underscore wu 7 at example dot net",
            "li underscore wu 7 at example dot net",
            "li_wu7@example.net",
        ),
        ("ana@example dot org", "ana@example dot org", "ana@example.org"),
        ("ana at sign example dot org", "ana at sign example dot org", "ana@example.org"),
        ("info at example.com", "info at example.com", "info@example.com"),
    ],
)
def test_emails(text, words, value):
    assert find(text, MAIL) == [("email", words, value)]


@pytest.mark.parametrize(
    "text", ["meet me at example.org", "buy it at example.com", "dot 2@abci", "a@b", "@", "at at dot"]
)
def test_what_is_no_email(text):
    assert [k for k, _, _ in find(text, MAIL) if k == "email"] == []


@pytest.mark.parametrize(
    ("text", "words", "value"),
    [
        ("save +1 555 0100 as ana", "+1 555 0100", "+1 555 0100"),
        ("it is 555-0199", "555-0199", "555-0199"),
        ("text 5550142", "5550142", "5550142"),
        ("call (555) 010-0199", "(555) 010-0199", "(555) 010-0199"),
        ("+44 20 7946 0958, thanks", "+44 20 7946 0958", "+44 20 7946 0958"),
        ("five five five, oh one double two", "five five five, oh one double two", "5550122"),
        ("plus one five five five oh one nine nine", "plus one five five five oh one nine nine", "+15550199"),
    ],
)
def test_phones(text, words, value):
    assert find(text, MAIL) == [("phone", words, value)]


@pytest.mark.parametrize(
    "text",
    ["call 911", "12345", "order 12345678 was late", "server 192.168.100.200", "1200 - 1300", "2013-2015",
     "2026-03-05 10:00", "1234567890123456777777", "seven hundred twenty one thousand", "1.1.1.1.1.1"],
)  # fmt: skip
def test_what_is_no_phone(text):
    assert [k for k, _, _ in find(text, MAIL) if k == "phone"] == []


KEYS = ("ops", "web", "infra", "zeb", "mob", "kqr")
DIGITS = "oh one two three four five six seven eight nine".split()


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(KEYS), st.integers(2, 9999))
def test_ids_are_read_back(key, n):
    value = f"{key.upper()}-{n}"
    spoken = " ".join(DIGITS[int(d)] for d in str(n))
    for said in (
        value,
        f"{key}-{n}",
        f"{key} {n}",
        f"ticket {n} in {key}",
        f"{key} dash {n}",
        f"{key} #{n}",
        f"{key} {spoken}",
    ):
        assert find(f"close {said} today", TRACKER)[0] == ("id", said, value)


LABEL = st.from_regex(r"[a-z]{3,8}", fullmatch=True).filter(
    lambda w: w not in ("dot", "dash", "plus", "sign", "minus")
)


@settings(max_examples=150, deadline=None)
@given(st.lists(LABEL, min_size=1, max_size=3), LABEL, st.sampled_from(["com", "org", "io"]))
def test_emails_are_read_back(local, domain, top):
    value = f"{'.'.join(local)}@{domain}.{top}"
    assert ("email", value, value) in find(f"write to {value} now", MAIL)
    if len(local) > 1:
        said = f"{' dot '.join(local)} at {domain} dot {top}"
        assert ("email", said, value) in find(f"write to: {said}", MAIL)


@settings(max_examples=150, deadline=None)
@given(st.text("0123456789", min_size=10, max_size=12), st.booleans())
def test_phones_are_read_back(digits, plus):
    spoken = ("plus " if plus else "") + " ".join(DIGITS[int(d)] for d in digits)
    written = ("+" if plus else "") + f"{digits[:3]}-{digits[3:6]}-{digits[6:]}"
    assert find(f"save {spoken}", MAIL) == [("phone", spoken, ("+" if plus else "") + digits)]
    assert find(f"save {written}", MAIL) == [("phone", written, written)]
