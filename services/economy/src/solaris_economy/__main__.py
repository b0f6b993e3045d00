"""python -m solaris_economy api | worker | migrate | rebuild <projection>"""

from solaris_economy.main import definition
from solaris_shared.service_main import main

if __name__ == "__main__":
    main(definition())
