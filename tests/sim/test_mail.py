"""Mail: what each tool answers, and what holds whatever is called."""

import copy
import json
import math
import os
import random

import hypothesis.strategies as st
import pytest
from any_call import ANYTHING, digest_in_processes
from hypothesis import HealthCheck, given, settings

from fernjax.sim.domains.mail import DOMAIN
from fernjax.sim.domains.mail.people import closest, find_contacts, read_person
from fernjax.sim.domains.mail.words import MAIL_POOLS
from fernjax.sim.harvest import natural_negatives
from fernjax.sim.pools import pool
from fernjax.sim.recipe import Recipe
from fernjax.sim.recurrence import iso_date, ordinal
from fernjax.sim.scenario import Generator
from fernjax.sim.types import Call
from fernjax.sim.world import state_hash

NOW = "2026-03-04T09:30:00"  # a Wednesday
STATUSES = set(
    "sent calling created updated deleted found not_found ambiguous missing_argument invalid_argument "
    "unsupported".split()
)
CHANGING = {"sent", "calling", "created", "updated", "deleted"}
READS = {t.name for t in DOMAIN.tools if t.reads}
step = DOMAIN.step


def contact(number, name, relation="", email="", phone="", **more):
    blank = {"address": "", "birthday": "", "employer": ""}
    return {
        "id": f"c{number}",
        "name": name,
        "relation": relation,
        "email": email,
        "phone": phone,
        **blank,
        **more,
    }


def mail(number, sender, address, subject, date, time, unread=False, body="see you there"):
    return {
        "id": f"m{number}",
        "from": sender,
        "address": address,
        "subject": subject,
        "body": body,
        "date": date,
        "time": time,
        "unread": unread,
    }


STATE = {
    "now": NOW,
    "next_id": 50,
    "contacts": [
        contact(
            1,
            "Ana Ruiz",
            "sister",
            "ana@example.org",
            "555-0101",
            birthday="1990-05-02",
            address="4 Elm Street, Porto",
        ),
        contact(2, "Ana Kovac", "", "akovac@example.com", "555-0102", employer="Acme"),
        contact(3, "Rosa Ruiz", "mom", "rosa@example.org", "555-0103"),
        contact(4, "Omar Haddad", "landlord", "omar@example.net", ""),
        contact(5, "Chris Bell", "boss", "", "555-0105"),
    ],
    "groups": [
        {"id": "g6", "name": "family", "members": ["c1", "c3"]},
        {"id": "g7", "name": "coworkers", "members": ["c2", "c5"]},
    ],
    "inbox": [
        mail(20, "Ana Ruiz", "ana@example.org", "the budget", "2026-03-04", "08:15", unread=True),
        mail(21, "Amazon", "no-reply@amazon.example.com", "your order has shipped", "2026-03-03", "21:40"),
        mail(22, "Rosa Ruiz", "rosa@example.org", "dinner on friday", "2026-03-02", "12:00", unread=True),
        mail(23, "Ana Ruiz", "ana@example.org", "photos", "2026-02-20", "10:00"),
        mail(24, "Amazon", "no-reply@amazon.example.com", "your receipt", "2026-02-19", "07:00"),
    ],
    "sent": [],
    "trash": [],
    "texts": [],
    "calls": [],
}


def run(state, *calls):
    """The state after the calls, and the last observation."""
    for name, arguments in calls:
        state, observation = step(state, Call(name, arguments))
    return state, observation


def status(name, **arguments):
    return step(STATE, Call(name, arguments))[1].status


def found(**arguments):
    """Ids of the mails that a search finds."""
    observation = step(STATE, Call("search_email", arguments))[1]
    return [m["id"] for m in observation.data.get("messages", ())]


# What each tool answers


def test_an_email_goes_to_contacts_relations_groups_and_addresses_once_each():
    people = ["my sister", "the family", "bo@example.com", "BO@example.com"]
    arguments = {"to": people, "body": "i'll be late"}
    state, sent = run(STATE, ("send_email", arguments))
    assert sent.status == "sent" and state["sent"] == [sent.data["message"]]
    assert sent.data["message"]["to"] == ["ana@example.org", "rosa@example.org", "bo@example.com"]
    assert (sent.data["message"]["date"], sent.data["message"]["time"]) == ("2026-03-04", "09:30")
    assert run(STATE, ("send_email", {"to": ["mom"], "subject": "lunch"}))[1].data["message"]["body"] == ""


def test_an_unknown_recipient_gets_the_close_ones():
    after, refused = run(STATE, ("send_email", {"to": ["mom", "omer"], "body": "x"}))
    assert after is STATE and refused.status == "not_found"
    assert refused.data == {"to": "omer", "similar": ["Omar Haddad"]}
    assert run(STATE, ("make_call", {"to": "the pizza place"}))[1].data["similar"] == []


def test_an_ambiguous_name_lists_its_candidates():
    for name, arguments in (
        ("send_email", {"to": ["ana"], "body": "x"}),
        ("send_text", {"to": "ana", "body": "x"}),
        ("make_call", {"to": "ana"}),
        ("get_contact", {"name": "ana"}),
    ):
        after, observation = run(STATE, (name, arguments))
        assert after is STATE and observation.status == "ambiguous"
        assert [c["name"] for c in observation.data["candidates"]] == ["Ana Ruiz", "Ana Kovac"]
    assert run(STATE, ("make_call", {"to": "my coworkers"}))[1].status == "ambiguous"
    assert run(STATE, ("get_contact", {"name": "ana from acme"}))[1].data["contact"]["id"] == "c2"


def test_a_way_that_is_unknown_is_named():
    for name, arguments, lacks in (
        ("make_call", {"to": "the landlord"}, "phone"),
        ("send_email", {"to": ["boss"], "body": "x"}, "email"),
        ("get_contact", {"name": "boss", "field": "birthday"}, "birthday"),
    ):
        observation = run(STATE, (name, arguments))[1]
        assert observation.status == "not_found" and observation.data["lacks"] == lacks


def test_a_reply_answers_the_last_mail_of_the_sender_and_marks_it_read():
    state, sent = run(STATE, ("reply_email", {"to": "my sister", "body": "sounds good"}))
    message = sent.data["message"]
    assert (message["reply_to"], message["subject"], message["to"]) == (
        "m20",
        "Re: the budget",
        ["ana@example.org"],
    )
    assert not state["inbox"][0]["unread"] and STATE["inbox"][0]["unread"]
    assert run(STATE, ("reply_email", {"to": "ruiz", "body": "x"}))[1].status == "ambiguous"
    assert run(STATE, ("reply_email", {"to": "amazon", "body": "x"}))[1].data["message"]["reply_to"] == "m21"
    assert run(STATE, ("reply_email", {"to": "landlord", "body": "x"}))[1].status == "not_found"


def test_a_search_meets_sender_words_unread_days_and_time():
    assert found() == ["m20", "m21", "m22", "m23", "m24"]
    assert found(sender="my sister") == found(sender="ana@example.org") == ["m20", "m23"]
    assert found(query="the order") == ["m21"] and found(sender="amazon", query="receipt") == ["m24"]
    assert found(unread=True) == ["m20", "m22"] and len(found(unread=False)) == 5
    assert found(start_date="2026-03-02", end_date="2026-03-03") == ["m21", "m22"]
    assert found(start_date="2026-03-03", start_time="21:00") == ["m20", "m21"]
    assert found(start_time="08:00") == ["m20"] and found(start_time="09:00") == []
    assert found(start_date="2026-03-03", start_time="night") == ["m21"]
    assert found(start_time="morning", end_date="2026-03-04") == ["m20"]
    assert found(query="last email") == ["m20"] and found(sender="amazon", query="latest") == ["m21"]
    assert status("search_email", sender="nobody") == "not_found"
    assert status("search_email", start_date="2026-03-05") == "found"
    assert status("search_email", start_date="2026-03-05", end_date="2026-03-01") == "invalid_argument"
    similar = run(STATE, ("search_email", {"sender": "amazone"}))[1].data["similar"]
    assert similar == ["Amazon"]


def test_deleting_takes_all_that_meets_its_words_to_the_trash():
    state, gone = run(STATE, ("delete_email", {"sender": "amazon"}))
    assert gone.data["count"] == 2 and [m["id"] for m in state["trash"]] == ["m21", "m24"]
    assert [m["id"] for m in state["inbox"]] == ["m20", "m22", "m23"]
    assert run(STATE, ("delete_email", {"query": "the last one"}))[1].data["messages"][0]["id"] == "m20"
    assert run(STATE, ("delete_email", {"query": "all my emails"}))[0]["inbox"] == []
    assert status("delete_email", sender="amazon", query="budget") == "not_found"
    assert run(state, ("delete_email", {"sender": "amazon"}))[1].status == "not_found"


def test_texts_and_calls_go_to_people_and_numbers():
    state, sent = run(STATE, ("send_text", {"to": "the family", "body": "home soon"}))
    assert sent.data["text"]["phones"] == ["555-0101", "555-0103"] and state["texts"] == [sent.data["text"]]
    state, call = run(state, ("make_call", {"to": "mom's phone number"}))
    assert call.status == "calling" and call.data["call"]["phone"] == "555-0103"
    assert run(state, ("make_call", {"to": "555 0199"}))[1].data["call"]["to"] == ""
    assert run(state, ("make_call", {"to": "(555) 0105"}))[1].data["call"]["phone"] == "555-0105"
    assert run(state, ("make_call", {"to": "5550105"}))[1].data["call"]["to"] == "Chris Bell"


def test_contacts_are_created_changed_and_asked_for():
    state, made = run(STATE, ("add_contact", {"name": "Pete the plumber", "phone": "07700 900456"}))
    assert made.status == "created" and made.data["contact"]["phone"] == "07700 900456"
    state, changed = run(state, ("add_contact", {"name": "pete the plumber", "email": "pete@example.org"}))
    assert changed.status == "updated" and changed.data["changed"] == ["email"]
    assert changed.data["contact"]["phone"] == "07700 900456" and len(state["contacts"]) == 6
    assert run(STATE, ("add_contact", {"name": "mom", "phone": "555 0100"}))[1].data["contact"]["id"] == "c3"
    asked = run(STATE, ("get_contact", {"name": "my sister", "field": "birthday"}))[1]
    assert asked.data == {"name": "Ana Ruiz", "field": "birthday", "value": "1990-05-02"}


def test_missing_arguments_are_named_as_the_domain_names_them():
    for name, arguments, missing in (
        ("send_email", {}, ["to", "body"]),
        ("send_email", {"to": ["mom"]}, ["body"]),
        ("send_email", {"to": ["mom"], "subject": "lunch"}, None),
        ("reply_email", {"body": "ok"}, ["to"]),
        ("reply_email", {"to": "mom"}, ["body"]),
        ("search_email", {}, None),
        ("delete_email", {}, ["sender"]),
        ("send_text", {"to": "mom"}, ["body"]),
        ("add_contact", {"name": "Bo"}, ["email"]),
        ("get_contact", {"field": "email"}, ["name"]),
        ("make_call", {}, ["to"]),
    ):
        observation = step(STATE, Call(name, arguments))[1]
        assert list(DOMAIN.missing(Call(name, arguments))) == (missing or [])
        assert (observation.data["missing"] if missing else None) == missing, name


@pytest.mark.parametrize(
    "argument, value",
    [
        ("sender", ""),
        ("sender", 5),
        ("query", "x" * 100_000),
        ("query", "bad \ud800"),
        ("unread", "true"),
        ("unread", 1),
        ("start_date", "2026-02-30"),
        ("end_date", "tomorrow"),
        ("start_time", "25:00"),
        ("start_time", math.nan),
        ("sneder", "x"),
    ],
)
def test_an_invalid_argument_is_named_with_why(argument, value):
    after, observation = step(STATE, Call("search_email", {argument: value}))
    assert after is STATE and observation.status == "invalid_argument"
    assert observation.data["argument"] == argument and observation.data["why"]


def test_an_address_and_a_number_must_look_like_one():
    for argument, value in (("email", "ana at example"), ("phone", "call me")):
        observation = step(STATE, Call("add_contact", {"name": "Bo", argument: value}))[1]
        assert observation.status == "invalid_argument" and observation.data["argument"] == argument


def test_an_unknown_tool_gets_the_names_that_exist_and_abstaining_changes_nothing():
    state, observation = step(STATE, Call("send_fax", {}))
    assert observation.status == "unsupported" and "send_email" in observation.data["tools"]
    assert state is STATE
    state, observation = step(STATE, Call("out_of_scope", {}))
    assert observation.status == "unsupported" and observation.data["abstained"] and state is STATE


def test_words_for_people_are_read_without_channel_and_title():
    assert read_person("Ana's phone number") == read_person("mrs ana") == {"ana"}
    assert read_person("all my co-workers") == read_person("coworkers") == {"coworker"}
    assert read_person("the phone") == {"phone"} and read_person("my") and read_person("\u00b2")
    assert closest("jonh", ["John Kerr", "Mary"]) == ["John Kerr"]
    assert [c["id"] for c in find_contacts("ana ruiz", STATE["contacts"])] == ["c1"]


# What holds whatever is called

NAMES = st.sampled_from([t.name for t in DOMAIN.tools])
ARGUMENTS = sorted({a.name for t in DOMAIN.tools for a in t.arguments})
KEYS = st.sampled_from(ARGUMENTS) | st.none() | st.integers() | st.text(max_size=5)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(NAMES | ANYTHING, ANYTHING | st.dictionaries(KEYS, ANYTHING, max_size=4))
def test_anything_gets_an_observation(name, arguments):
    state = DOMAIN.initial_state(random.Random(1), NOW)
    before = state_hash(state)
    after, observation = step(state, Call(name, arguments))
    assert observation.status in STATUSES and state_hash(state) == before
    json.dumps([observation.to_json(), after], allow_nan=False, ensure_ascii=False).encode("utf-8")


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(["to", "name", "sender", "query"]), st.text(st.characters(), min_size=1, max_size=20))
def test_any_words_get_an_observation(argument, words):
    for tool in DOMAIN.tools:
        if tool.argument(argument) is None:
            continue
        value = [words] if tool.argument(argument).type == "texts" else words
        more = {g[0]: "x" for g in DOMAIN.needs.get(tool.name, ()) if argument not in g and g[0] != "email"}
        _, observation = step(STATE, Call(tool.name, {argument: value, **more}))
        assert observation.status in STATUSES


def test_a_deeply_nested_argument_gets_an_observation():
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    assert status("send_email", to=deep, body="x") == "invalid_argument"
    assert step(STATE, Call(deep, {}))[1].status == "unsupported"


def random_call(rng, state):
    """A call that is well-formed more often than not, with values that collide."""
    tool = rng.choice(DOMAIN.tools)
    arguments = {}
    needed = {rng.choice(g) for g in DOMAIN.needs.get(tool.name, ())}
    for a in tool.arguments:
        if not (a.name in needed and rng.random() < 0.95) and rng.random() > 0.2:
            continue
        if rng.random() < 0.02:
            arguments[a.name] = rng.choice((None, "", -1, 1.5, [], {}, "2026-13-01", "x" * 1000, math.inf))
        elif a.type in ("date", "end_date"):
            arguments[a.name] = iso_date(ordinal("2026-02-18") + rng.randrange(18))
        elif a.type == "time":
            arguments[a.name] = rng.choice(("morning", "night", f"{rng.randrange(24):02d}:00"))
        elif a.choices:
            arguments[a.name] = rng.choice(a.choices)
        elif a.type == "email":
            arguments[a.name] = rng.choice(("bo@example.org", "ana@example.com"))
        elif a.type == "phone":
            arguments[a.name] = f"555 {rng.randrange(100, 200)}"
        elif a.type == "texts":
            arguments[a.name] = [random_person(rng, state) for _ in range(rng.choice((1, 1, 1, 2)))]
        elif a.name in ("to", "name", "sender"):
            arguments[a.name] = random_person(rng, state)
        else:
            mails = state["inbox"] or [{"subject": "nothing"}]
            known = rng.choice(mails)["subject"]
            arguments[a.name] = known if rng.random() < 0.5 else rng.choice(pool("topics")[:40])
    return Call(tool.name if rng.random() < 0.99 else "nonsense", arguments)


def random_person(rng, state):
    one = rng.choice(state["contacts"])
    return rng.choice(
        (
            one["name"],
            one["name"].split(" ")[0],
            one["name"].split(" ")[-1],
            one["relation"] or one["name"],
            one["email"] or "the team",
            one["phone"] or "family",
            rng.choice(pool("first_names")[:40]),
            rng.choice(state["inbox"] or [{"from": "nobody"}])["from"],
        )
    )


def mails_of(state):
    return sorted(m["id"] for box in ("inbox", "sent", "trash") for m in state[box])


def check_step(state, call):
    """One step with all its invariants; returns the state after it and the status."""
    frozen = state_hash(state)
    after, observation = step(state, call)
    assert state_hash(state) == frozen, "step changed its input"
    assert observation.status in STATUSES
    assert (observation.status == "missing_argument") == bool(DOMAIN.missing(call))
    if call.name in READS or observation.status not in CHANGING:
        assert after is state
        return after, observation.status
    ids = [i["id"] for group in after.values() if isinstance(group, list) for i in group]
    assert len(set(ids)) == len(ids) and all(int(i[1:]) < after["next_id"] for i in ids)
    names = [frozenset(read_person(c["name"])) for c in after["contacts"] if c["id"] not in seeded(state)]
    assert len(set(names)) == len(names), "a new contact doubles another new one"
    was, new = mails_of(state), []
    if observation.status == "sent" and "message" in observation.data:
        new = [observation.data["message"]["id"]]
        assert after["sent"] == [*state["sent"], observation.data["message"]]
        assert observation.data["message"]["to"]
    assert mails_of(after) == sorted(was + new), "a mail was lost or doubled"
    if observation.status == "deleted":
        assert len(after["inbox"]) == len(state["inbox"]) - observation.data["count"]
        again = step(after, call)[1]
        assert again.status == "not_found" or "last" in str(call.arguments)
    if observation.status in ("created", "updated"):
        check_contact(state, after, call, observation)
    for key in ("texts", "calls"):
        assert after[key][: len(state[key])] == state[key]
    moments = [(m["date"], m["time"]) for m in after["inbox"]]
    assert moments == sorted(moments, reverse=True)
    return after, observation.status


def seeded(state):
    """Ids of the contacts that the state began with: those with a relation, an address or an employer."""
    return {c["id"] for c in state["contacts"] if int(c["id"][1:]) < 20}


def check_contact(state, after, call, observation):
    shown = observation.data["contact"]
    assert len(after["contacts"]) == len(state["contacts"]) + (observation.status == "created")
    assert all(shown[k] == call.arguments[k] for k in ("email", "phone") if k in call.arguments)
    asked = step(after, Call("get_contact", {"name": shown["name"]}))[1]
    assert asked.status == "ambiguous" or asked.data["contact"] == shown


def walk(seed, steps):
    """Random calls, a fresh state every hundred; every status must have come up."""
    rng = random.Random(seed)
    seen = set()
    for number in range(steps):
        if number % 100 == 0:
            state = DOMAIN.initial_state(rng, NOW)
        state, answered = check_step(state, random_call(rng, state))
        seen.add(answered)
    assert seen == STATUSES


def test_ten_thousand_random_steps():
    walk(0, 10_000)


@pytest.mark.slow
@pytest.mark.skipif(os.environ.get("FERNJAX_LONG") != "1", reason="a million steps run with FERNJAX_LONG=1")
def test_a_million_random_steps():
    walk(1, 1_000_000)


@pytest.mark.parametrize("seed", range(40))
def test_a_seeded_mailbox_is_believable(seed):
    state = DOMAIN.initial_state(random.Random(seed), NOW)
    assert state == DOMAIN.initial_state(random.Random(seed), NOW) == json.loads(json.dumps(state))
    assert 11 <= len(state["inbox"]) <= 18 and 12 <= len(state["contacts"]) <= 16
    assert any(m["unread"] for m in state["inbox"]) and state["sent"] and state["trash"]
    names = [c["name"].lower() for c in state["contacts"]]
    addresses = [c["email"] for c in state["contacts"] if c["email"]]
    assert len(set(names)) == len(names) and len(set(addresses)) == len(addresses)
    moments = [f"{m['date']}T{m['time']}" for box in ("inbox", "sent", "trash") for m in state[box]]
    assert all(m < NOW for m in moments)
    members = {m for g in state["groups"] for m in g["members"]}
    assert members <= {c["id"] for c in state["contacts"]}


def test_the_same_calls_give_the_same_bytes_in_any_process():
    prints = digest_in_processes(__file__, NOW)
    assert len(prints) == 1 and len(prints.pop()) == 64


def test_a_step_leaves_what_it_was_given_alone():
    state = DOMAIN.initial_state(random.Random(3), NOW)
    copied = copy.deepcopy(state)
    run(state, ("delete_email", {"query": "everything"}), ("send_text", {"to": "family", "body": "x"}))
    run(state, ("add_contact", {"name": "mom", "phone": "555"}), ("reply_email", {"to": "mom", "body": "y"}))
    assert state == copied


# Pools, key words and phrasing

LEAST = {"bodies": 150, "questions": 120, "clauses": 100, "subjects": 80, "companies": 60}


@pytest.mark.parametrize("name", sorted(DOMAIN.pools))
def test_pools_are_wide_clean_and_without_doubles(name):
    values = DOMAIN.pools[name]
    assert len(values) >= LEAST.get(name, 15) and len({v.casefold() for v in values}) == len(values)
    assert all(v == " ".join(v.split()) and any(c.isalnum() for c in v) for v in values)


def test_an_unknown_pool_is_no_pool():
    assert "nothing" not in DOMAIN.pools
    with pytest.raises(KeyError):
        DOMAIN.pools["nothing"]


def test_negatives_hold_no_word_of_mail():
    negatives = natural_negatives(DOMAIN.keywords)
    assert len(negatives) > 10_000
    for word in ("email", "inbox", "text mom", "contact", "phone", "reply", "call ", "birthday"):
        assert not any(f" {word}" in f" {n.lower()}" for n in negatives), word


def test_sentences_are_varied_and_seldom_dropped():
    buckets = {"in_distribution": 0.5, "messy": 0.2, "multi_constraint": 0.1, "out_of_scope": 0.2}
    generator = Generator(DOMAIN, Recipe(buckets=buckets), seed=0)
    made = [generator.scenario(i) for i in range(1500)]
    assert len({s.skeleton for s in made}) > 900
    assert sum(generator.dropped.values()) < 0.1 * generator.sampled, generator.dropped
    tools = {name for s in made for call in s.row.calls for name in call}
    assert tools == {t.name for t in DOMAIN.tools}
    said = {(n, a) for s in made for call in s.row.calls for n, args in call.items() for a in args}
    assert said == {(t.name, a.name) for t in DOMAIN.tools for a in t.arguments}


def test_made_names_are_many_and_nobodys():
    made = MAIL_POOLS["made_names"]
    assert len(set(made)) > 3000
    assert all(name.isalpha() and name.islower() for name in made)
    known = {name.lower() for name in pool("first_names")}
    assert len(known & set(made)) < 30  # a few are someone's after all


@pytest.mark.parametrize("name", ["short_names", "queries", "long_bodies", "fact_things", "things_said"])
def test_pools_say_nothing_twice(name):
    values = MAIL_POOLS[name]
    assert len(set(values)) == len(values)
