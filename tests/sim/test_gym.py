import json

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

from fernjax.sim import gym
from fernjax.sim.types import OUT_OF_SCOPE
from fernjax.sim.world import domain_names


def gold(label):
    """The calls of a label as actions."""
    calls = [{"name": n, "arguments": {a: v[0] for a, v in g.items()}} for c in label for n, g in c.items()]
    return [json.dumps(c) for c in calls]


@pytest.mark.parametrize("name", domain_names())
def test_every_app_passes_gymnasiums_own_check(name):
    check_env(gymnasium.make(f"fernjax/{name}-v0").unwrapped)


@pytest.mark.parametrize("name", domain_names())
def test_the_right_calls_are_rewarded_and_one_wrong_value_is_not(name):
    env = gym.AppEnv(name)
    rewarded = 0
    for seed in range(40):
        env.reset(seed=seed)
        label = env._scenario.row.calls
        for action in gold(label):
            _, reward, over, _, _ = env.step(action)
        assert over and reward == 1.0
        rewarded += 1
        env.reset(seed=seed)
        for action in gold(label):
            wrong = json.loads(action)
            wrong["arguments"]["no_such_argument"] = "x"
            _, reward, over, _, _ = env.step(json.dumps(wrong))
        assert over and reward == 0.0
    assert rewarded == 40


def test_the_same_seed_gives_the_same_episode():
    one, other = gym.AppEnv("calendar"), gym.AppEnv("calendar")
    for seed in range(5):
        assert one.reset(seed=seed) == other.reset(seed=seed)
        action = json.dumps({"name": "list_events", "arguments": {}})
        assert one.step(action) == other.step(action)
    assert one.reset()[0] != one.reset()[0]


@pytest.mark.parametrize(
    "action", ["", "{", "[1]", '{"name": 3}', "[" * 100_000, '{"name": "x", "arguments": 7}']
)
def test_what_is_no_call_is_answered_and_wrong(action):
    env = gym.AppEnv("calendar")
    env.reset(seed=3)
    observation, reward, _, _, info = env.step(action)
    assert reward == 0.0 and info["status"] == "unsupported"
    assert observation in env.observation_space


def test_abstaining_ends_an_episode_and_a_step_after_the_end_is_refused():
    env = gym.AppEnv("calendar")
    with pytest.raises(RuntimeError, match="reset"):
        env.step("{}")
    env.reset(seed=1)
    *_, over, _, info = env.step(json.dumps({"name": OUT_OF_SCOPE, "arguments": {}}))
    assert over and "label" in info
    with pytest.raises(RuntimeError, match="reset"):
        env.step("{}")
