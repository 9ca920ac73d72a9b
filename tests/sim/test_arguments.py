from fernjax.sim.arguments import Refused, invalid, make_check, make_step
from fernjax.sim.tools import parse_tools
from fernjax.sim.types import Call, Observation

TOOLS = parse_tools(
    [{"function": {"name": "pay", "parameters": {"properties": {"amount": {"type": "number"}}}}}]
)


def pay(state, arguments):
    if arguments["amount"] > state["left"]:
        raise Refused(Observation("insufficient_funds", {"left": state["left"]}))
    return {"left": state["left"] - arguments["amount"]}, Observation("paid", arguments)


STEP = make_step(make_check(TOOLS, {"pay": (("amount",),)}), {"pay": pay})


def test_an_action_gives_the_state_after_it_and_its_answer():
    assert STEP({"left": 5}, Call("pay", {"amount": 3.0})) == (
        {"left": 2},
        Observation("paid", {"amount": 3}),
    )


def test_what_is_refused_leaves_the_state_as_it_was():
    state = {"left": 5}
    after, seen = STEP(state, Call("pay", {"amount": 9}))
    assert after is state and seen == Observation("insufficient_funds", {"left": 5})


def test_a_call_that_does_not_pass_the_check_reaches_no_action():
    state = {"left": 5}
    assert STEP(state, Call("pay", {})) == (
        state,
        Observation("missing_argument", {"tool": "pay", "missing": ["amount"]}),
    )
    assert STEP(state, Call("fly", {}))[1].status == "unsupported"
    assert STEP(state, Call("pay", {"amount": "x"}))[1] == invalid("amount", "must be a number, not x")
