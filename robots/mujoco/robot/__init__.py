"""The MuJoCo back end: a simulated robot that is commanded like a real one."""
