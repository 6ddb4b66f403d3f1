"""What a robot is and how to reach it.

`description` loads a robot by name, `draft` makes a description from one URDF, `check`
looks it over; `drives` and `dynamics` say what its motors and masses allow; each back
end has a folder of its own, `mujoco` among them.
"""
