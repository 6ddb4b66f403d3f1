"""Input devices, one folder a vendor; `base` says what a device is and lists them."""
