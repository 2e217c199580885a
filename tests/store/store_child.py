"""A process of its own that writes cards: `store_child.py PATH RUN FIRST COUNT`; COUNT 0 writes until it is killed."""

import sys
from itertools import count

from kept_cards import build_card, build_record, build_run

from assay.store.store import Store


def main(path: str, run: str, first: int, number_of_cards: int) -> None:
    with Store(path) as store:
        if run not in {row.id for row in store.runs()}:
            store.begin_run(build_run(run))
        for number in range(first, first + number_of_cards) if number_of_cards else count(first):
            store.add_record(run, number, build_card(build_record(number)))
            if number % 7 == 0:
                store.flush()
                print(number, flush=True)  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
