"""What every figure of a scenario means, with its unit, and which a terminal shows."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from telexist.teleop.scenarios.options import ScenarioOptions

__all__ = ["FIGURES", "figure_manual", "summary_lines"]

FIGURES: Mapping[str, str] = MappingProxyType(
    {
        "scenario": "its name",
        "robot": "its name",
        "seed": "of noise and of everything drawn",
        "options": "all of them, as they were used",
        "fell": "whether the robot fell, or its physics broke down",
        "fell_at": "when [s]; null if it did not",
        "fall_reason": "why",
        "push_at": "when it was pushed [s]; null if it was not",
        "duration": "that was simulated before a fall [s]",
        "qp_failures": "control steps whose program needed a fallback",
        "events": "what happened, with its time; the first 200",
        "recovery_steps": "times that it began to step to keep its balance",
        "steps": "taken in all",
        "model_mass_error": "controller's model beside the simulator's [kg]",
        "model_mass_matrix_error": "the same of the mass matrix, greatest entry",
        "model_bias_error": "the same of gravity and Coriolis terms [N], [N m]",
        "dcm_rms_mm": "estimated DCM to its plan, which follows the estimate [mm]",
        "dcm_max_mm": "the same, greatest [mm]",
        "dcm_true_rms_mm": "the simulator's DCM to that plan, seen from the feet [mm]",
        "dcm_true_max_mm": "the same, greatest [mm]",
        "com_rms_mm": "standing: centre of mass to the support's middle [mm]",
        "com_sway_mm": "standing: centre of mass about its own mean [mm]",
        "com_offset_mm": "standing: that mean to the support's middle [mm]",
        "base_velocity_error_rms": "of the estimator [m/s]",
        "base_drift": "between estimated and true base at the end [m]",
        "arm_error_max": "largest of an arm's joint [rad]",
        "arm_error_max_standing": "the same while standing [rad]",
        "arm_error_max_walking": "the same while walking [rad]",
        "upper_error_rms": "of all joints but the legs' [rad]",
        "upper_error_rms_standing": "the same while standing [rad]",
        "upper_error_rms_walking": "the same while walking [rad]",
        "support_changes": "how often the robot changed the feet it stands on",
        "one_foot_time": "that a foot was in the air, standing [s]",
        "free_leg_error_rms": "of the lifted leg's joints [rad]",
        "foot_height_max_mm": "between the soles, standing [mm]",
        "squat_mm": "deepest, below standing ready [mm]",
        "height_error_rms_mm": "of the centre of mass, standing [mm]",
        "mean_speed": "ahead [m/s], from 5 s after the command",
        "mean_side_speed": "to the left [m/s]",
        "mean_yaw_rate": "to the left [rad/s]",
        "ahead_speed_error": "of mean_speed, over the command",
        "side_speed_error": "of mean_side_speed, over the command",
        "yaw_rate_error": "of mean_yaw_rate, over the command",
        "speed_error": "the largest of these three",
        "torque_share_max": "largest torque over its drive's effort",
        "torque_jump_share_max": "largest jump of it when walking begins or ends",
        "joint_past_limit_mrad": "farthest past a joint's limit in any step of physics",
        "joint_speed_share_max": "fastest joint over its limit, likewise",
        "hand_force_error_rms": "between what hands feel and what the robot knows [N]",
        "fall_joint_speed_max": "fastest joint in the 1.5 s after a fall [rad/s]",
        "fall_torque_share_max": "largest damping torque then, over its effort",
        "fall_energy_max": "greatest kinetic energy then [J]",
        "fall_energy_end": "what is left of it, lying [J]",
        "joint_error_mean": "a tracking policy's joints to what they are asked [rad]",
        "joint_error_rms": "the same, root mean square [rad]",
        "base_height_error_mm": "of its base, mean [mm]",
        "way_asked": "from begin to end of the recording [m]",
        "way_done": "by the robot [m]",
        "way_error": "between where it is and should be at the end [m]",
        "ending": "of a hand's way, standing up or sitting down: what came of it",
        "reached": "whether it did",
        "effort": "integral of a leg's squared torques on that way [N^2 m^2 s]",
        "effort_alone": "the same without partner and without advancement",
        "effort_ratio": "of these two",
        "com_error_max_mm": "true centre of mass to its way, greatest [mm]",
        "torque_share_max_all": "largest torque over its effort, walking, too",
        "pull_max": "greatest force at a hand [N]",
        "seat_load_end": "that the seat carries at the end [body weight]",
        "phases": "of sitting, standing and walking, with their times",
        "law": "that the hand followed",
        "hand": "that went its way",
        "way": "of the hand [m]",
        "completion_time": "until a hand is within 5 mm of its end, or it stands [s]",
        "completion_time_alone": "the same without partner and without advancement [s]",
        "time_ratio": "of these two",
        "psi_ahead": "of time: of a hand's path, or a followed recording [s]",
        "rate_max": "of psi, greatest",
        "error_max_mm": "from the reference to where the hand really is [mm]",
        "energy_start": "V of the thesis, (9.5), at the start [m^2/s^2]",
        "energy_max": "the same, greatest",
        "energy_ratio": "of these two",
        "help_max": "force that counted as help [N]",
        "alpha_least": "of (8.44): below 0 the force helps [m/s^2]",
        "arm_torque_rms": "of the arm's torques together [N m]",
        "arm_torque_rate_rms": "of their change [N m/s]",
        "back_after": "letting go, until the rate of psi is 1 within 5 % [s]",
        "error_after_max_mm": "error_max_mm after letting go",
        "acceleration_after_max": "of the hand, likewise [m/s^2]",
        "path_asked": "own steps: from begin to end of the operator's way [m]",
        "path_done": "by the robot [m]",
        "path_end_error": "between where it stands and should stand at the end [m]",
        "path_end_turn_error_deg": "of its heading there [deg]",
        "path_late": "that it needed longer than the operator, to rest [s]",
        "changes_asked": "of the hand-over: changes to another controller",
        "changes_done": "of these, the other one leads since",
        "changes_refused": "of these, the first one went on",
        "changes": "each of them: when, from whom, to whom, how long it waited [s]",
        "change_jump_share_max": "of a torque by a step of a change, over its effort",
        "change_wait_max": "from asking until torques go over, longest [s]",
        "change_wait_median": "the same, median [s]",
        "torque_step_share_usual": "between two control steps, 99 of 100, over effort",
        "torque_step_share_changing": "the same while torques go over",
        "policy_ms_p50": "time of a step in which a policy is asked, median [ms]",
        "policy_ms_p99": "the same, 99 of 100 [ms]",
        "tick_ms_p50": "time of a control step, median [ms]",
        "tick_ms_p99": "the same, 99 of 100 [ms]",
        "real_time_factor": "simulated time over computing time, pictures left out",
    }
)
"""Figure to its meaning."""


SHOWN = (
    "completion_time",
    "time_ratio",
    "effort",
    "effort_ratio",
    "com_error_max_mm",
    "torque_share_max",
    "error_max_mm",
    "energy_ratio",
    "rate_max",
    "psi_ahead",
    "dcm_rms_mm",
    "dcm_true_rms_mm",
    "com_rms_mm",
    "arm_error_max",
    "hand_force_error_rms",
    "mean_speed",
    "mean_yaw_rate",
    "speed_error",
    "squat_mm",
    "one_foot_time",
    "free_leg_error_rms",
    "steps",
    "recovery_steps",
    "qp_failures",
    "fall_joint_speed_max",
    "joint_error_mean",
    "way_asked",
    "way_done",
    "way_error",
    "path_asked",
    "path_end_error",
    "path_end_turn_error_deg",
    "path_late",
    "changes_asked",
    "changes_done",
    "changes_refused",
    "change_jump_share_max",
    "change_wait_max",
    "torque_step_share_usual",
    "torque_step_share_changing",
    "policy_ms_p50",
    "policy_ms_p99",
    "tick_ms_p50",
    "real_time_factor",
)


def figure_manual() -> str:
    """Return the list as text, one line each."""
    lines = [f"  {name:<24} {text}" for name, text in FIGURES.items()]
    return "\n".join(["figures of --json:", *lines])


def summary_lines(options: ScenarioOptions, figures: dict[str, Any]) -> list[str]:
    """Return how it ended and the most telling figures."""
    end = figures.get("ending", "stood")
    if figures.get("fell_at") is not None:
        end = f"FELL at {figures['fell_at']:.2f} s: {figures['fall_reason']}"
    first = f"{options.name} {figures['robot']} seed {options.seed}: {end}"
    shown = [name for name in SHOWN if figures.get(name) is not None]
    return [first, *(f"  {name:<20} {figures[name]:.4g}" for name in shown)]
