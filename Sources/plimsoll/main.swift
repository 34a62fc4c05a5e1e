print("plimsoll")
