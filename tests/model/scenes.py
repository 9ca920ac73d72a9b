"""Hand-made scenes that the tests of the model share: an app of four tools, sentences with gold calls."""

from __future__ import annotations

from fernjax.model.transformer import ModelConfig
from fernjax.sim.tools import parse_tools
from fernjax.sim.types import Call, Mention, Query, Row, Scenario, Slot
from fernjax.sim.world import Domain

NOW = "2026-03-04T09:30:00"

DATE = {"type": "string", "format": "date"}
TIME = {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"}
REPEAT = {"type": "string", "enum": ["daily", "weekly", "monthly"]}

TOOLS = {
    "plant_tree": {
        "kind": {"type": "string"},
        "date": DATE,
        "time": TIME,
        "minutes": {"type": "integer"},
        "helpers": {"type": "array", "items": {"type": "string"}},
        "every": REPEAT,
    },
    "move_tree": {
        "tree": {"type": "string"},
        "date": DATE,
        "new_date": DATE,
        "shade": {"enum": ["full", "half"]},
    },
    "water_all": {"start": DATE, "end_date": DATE, "gently": {"type": "boolean"}},
    "out_of_scope": {},
}

TINY = ModelConfig(
    vocab_size=2048,
    width=32,
    heads=4,
    kv_heads=2,
    ff_width=48,
    stem_blocks=0,
    core_blocks=1,
    loops=1,
    tail_blocks=0,
    attention="prefix",
    rope_base=10_000.0,
    qk_norm=True,
    logit_cap=30.0,
    embed_std=0.05,
    max_length=40,
    max_calls=3,
    dtype="float32",
)


def orchard() -> Domain:
    """An app that is none of the package's."""
    document = [
        {"type": "function", "function": {"name": name, "parameters": {"type": "object", "properties": p}}}
        for name, p in TOOLS.items()
    ]
    return Domain(
        name="orchard",
        description="Trees.",
        tools=parse_tools(document),
        needs={"plant_tree": (("kind",), ("date", "time"))},
        initial_state=lambda rng, now: {},
        step=lambda state, call: (state, None),
    )


def mention(text: str, words: str, kind: str, value, form: str = "", nth: int = 0) -> Mention:
    start = -1
    for _ in range(nth + 1):
        start = text.index(words, start + 1)
    return Mention(kind, start, start + len(words), value, form=form)


def scene(text: str, label, said, mentions=()) -> Scenario:
    """A scenario; `said` is `[(call, argument, words or None, value)]`; the words stand there once."""
    slots = tuple(
        Slot(
            call,
            argument,
            None if words is None else (text.index(words), text.index(words) + len(words)),
            value,
        )
        for call, argument, words, value in said
    )
    return Scenario(
        Row(Query("q", text, NOW), label), slots, tuple(mentions), "in_distribution", "", "", (0, 0)
    )


def scenes() -> list[Scenario]:
    """Sentences of every kind: texts, lists, mentions, choices, two calls, abstaining."""
    one = "Plant a Winter Pear with Ana, Bo and the gardener friday at 3pm"
    two = "move monday's old quince to tuesday, half shade"
    three = "water everything gently and plant a fig tomorrow"
    four = "what's the capital of peru"
    return [
        scene(
            one,
            [
                {
                    "plant_tree": {
                        "kind": ["Winter Pear"],
                        "helpers": [["Ana"]],
                        "date": ["2026-03-06"],
                        "time": ["15:00"],
                    }
                }
            ],
            [
                (0, "kind", "Winter Pear", "Winter Pear"),
                (0, "helpers", "Ana, Bo and the gardener", None),
                (0, "date", "friday", "2026-03-06"),
                (0, "time", "3pm", "15:00"),
            ],
            [mention(one, "friday at 3pm", "datetime", "2026-03-06T15:00", "weekday")],
        ),
        scene(
            two,
            [
                {
                    "move_tree": {
                        "tree": ["old quince"],
                        "date": ["2026-03-09"],
                        "new_date": ["2026-03-10"],
                        "shade": ["half"],
                    }
                }
            ],
            [
                (0, "tree", "old quince", "old quince"),
                (0, "date", "monday", "2026-03-09"),
                (0, "new_date", "tuesday", "2026-03-10"),
                (0, "shade", "half", "half"),
            ],
            [
                mention(two, "monday", "date", "2026-03-09", "weekday"),
                mention(two, "tuesday", "date", "2026-03-10", "weekday"),
            ],
        ),
        scene(
            three,
            [{"water_all": {"gently": [True]}}, {"plant_tree": {"kind": ["fig"], "date": ["2026-03-05"]}}],
            [
                (0, "gently", None, True),
                (1, "kind", "fig", "fig"),
                (1, "date", "tomorrow", "2026-03-05"),
            ],
            [mention(three, "tomorrow", "date", "2026-03-05", "relative")],
        ),
        scene(four, [{"out_of_scope": {}}], []),
    ]


GOLD = [
    (
        Call(
            "plant_tree",
            {
                "kind": "Winter Pear",
                "date": "2026-03-06",
                "time": "15:00",
                "helpers": ["Ana", "Bo", "the gardener"],
            },
        ),
    ),
    (
        Call(
            "move_tree",
            {"tree": "old quince", "date": "2026-03-09", "new_date": "2026-03-10", "shade": "half"},
        ),
    ),
    (Call("water_all", {"gently": True}), Call("plant_tree", {"kind": "fig", "date": "2026-03-05"})),
    (Call("out_of_scope", {}),),
]
"""The calls of `scenes`, as a model that says exactly the gold gives them."""
