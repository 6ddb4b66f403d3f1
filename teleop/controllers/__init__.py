"""From references to joint commands: on a pole, balancing, walking.

`base` says what a controller is and lists them; `terms`, `geometry` and `parameters`
are shared; `sensing` estimates, `operator` turns the person into goals, `stepping`
plans feet and centre of mass, `whole_body` makes torques; `servo` and `locomotion` are
the controllers.
"""
