"""A learned policy in simulation: the same scenarios, with figures of its own."""

from telexist.teleop.scenarios.policy.policy_figures import policy_figures
from telexist.teleop.scenarios.policy.policy_run import PolicyRun, run_policy

__all__ = ["PolicyRun", "policy_figures", "run_policy"]
