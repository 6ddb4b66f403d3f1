"""OpenSim models (.osim): joints, their functions and muscles.

A file goes in; the model that LM-PFD solves comes out.
"""
