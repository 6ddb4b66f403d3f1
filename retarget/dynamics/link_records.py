"""All that the estimator keeps about a link, as one record for compiled code.

Spatial vectors are (linear, angular), in the link's axes at its origin. `a` is the
proper acceleration, `f` the wrench from the link's neighbour towards the base on it.
"""

from __future__ import annotations

import numpy as np

__all__ = ["LINK"]

_V, _M = (6,), (6, 6)

LINK = np.dtype(
    [
        # the model
        ("parent", "i8"),  # towards the pelvis; -1 of the pelvis
        ("axes", "i8", (3,)),  # x, y, z = 0, 1, 2; -1: none
        ("first", "i8"),  # place of the joint's first axis among all
        ("offset", "f8", (3,)),  # parent_p_link
        ("mass", "f8"),
        ("com", "f8", (3,)),
        ("inertia", "f8", _M),
        # the tree as it hangs on the chosen base
        ("above", "i8"),  # towards the base; -1 of the base
        ("edge", "i8"),  # link whose joint leads there
        # what is known of it: written by the caller before each step
        ("y", "f8", _V),  # external wrench
        ("V", "f8", _M),  # its covariance
        ("known_Lam", "f8", _M),  # readings of a, as information
        ("known_eta", "f8", _V),
        # motion, towards the pelvis (`own`) and towards the base
        ("R", "f8", (3, 3)),  # parent_R_link
        ("w", "f8", (3,)),  # angular velocity
        ("own_X", "f8", _M),
        ("own_c", "f8", _V),
        ("own_S", "f8", (6, 3)),
        ("X", "f8", _M),
        ("c", "f8", _V),
        ("S", "f8", (6, 3)),
        ("s0", "f8", (3,)),  # joint accelerations, as expected
        ("D", "f8", (3,)),  # their variances
        ("b", "f8", _V),  # velocity part of the rate of momentum
        # messages towards the base
        ("F", "f8", _M),
        ("f0", "f8", _V),
        ("P", "f8", _M),
        ("P_inv", "f8", _M),
        ("Lam", "f8", _M),
        ("eta", "f8", _V),
        ("LS", "f8", (6, 3)),  # Lam S
        ("C", "f8", (3, 3)),  # covariance of the joint accelerations, from outside
        ("m", "f8", _V),  # c + S s0
        ("TX", "f8", _M),
        ("t", "f8", _V),
        ("H", "f8", _M),
        ("h", "f8", _V),
        ("PC", "f8", _M),
        ("PC_inv", "f8", _M),
        ("K", "f8", _M),
        ("Ks", "f8", (3, 6)),
        ("pull", "f8", _V),  # P^-1 (f - F a - f0)
        # the answer
        ("a", "f8", _V),
        ("f", "f8", _V),
        ("fx", "f8", _V),
        ("dds", "f8", (3,)),
        ("tau", "f8", (3,)),
        ("cov", "f8", (12, 12)),  # of (a, f)
        ("cov_fx", "f8", _M),
        ("cov_dds", "f8", (3, 3)),
        ("cov_tau", "f8", (3, 3)),
    ],
    align=True,
)
