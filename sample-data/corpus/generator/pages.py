"""Pages of the observatory's wiki, in HTML, as somebody's editor left them."""

PAGES = {
    "visitors": ("Visitors", [
        ("Platform", "The visitors' platform holds 14 people and is closed while the laser fires."),
        ("Light", "Telephones are switched off, not dimmed. Red torches are lent at the door."),
        ("Dogs", "Dogs stay below. The cat belongs to the workshop and may go where it likes."),
    ]),
    "emergency": ("Emergency", [
        ("Fire", "Fire in the dome: press the red button at either door. It cuts F3 to F5 and floods nothing; water is only for the office wing."),
        ("Helium", "A helium alarm in the compressor room means leave, then look at the panel outside, not the other way round."),
        ("People", "The nearest doctor is 38 minutes away in Salgueira; the helicopter lands at the lower car park."),
    ]),
    "night-start": ("Beginning the night", [
        ("Order", "Covers, then shutter, then mirror fans, then the mount. The camera is cooled in the afternoon."),
        ("Flats", "Dome flats need lamps that have burnt for twelve minutes. Sky flats are taken away from the Moon."),
    ]),
    "night-end": ("Ending the night", [
        ("Order", "Park at zenith, close the covers, then the shutter. Fans stay on until the mirror is warmer than the dew point by six degrees."),
        ("Calibration", "Heron takes its thorium-argon after the last star, also where the night was lost to cloud."),
    ]),
    "people": ("Who is asked for what", [
        ("Mechanics", "R. Okafor for dome and mount, P. Novák for the mirror cell."),
        ("Electronics", "I. Lindqvist for cameras, J. Tanaka for Heron, A. Reyes for power."),
        ("Computing", "S. Holm for clocks and the network. Nobody else changes switches."),
    ]),
    "coatings": ("How we aluminize", [
        ("Plant", "The plant is in Salgueira; the mirror travels by night at walking pace, 41 km in nine hours."),
        ("Washing before", "Before coating the old layer is taken off with lye. Gloves are changed every ten minutes."),
    ]),
}


def page(title, parts):
    body = "".join(f"<h2>{head}<h2>\n<p>{text}\n" if index == 1 else f"<h2>{head}</h2>\n<p>{text}</p>\n"
                   for index, (head, text) in enumerate(parts))
    return (f"<!doctype html>\n<html><head><title>{title} &mdash; Northfold</title>\n"
            "<style>body { font: 14px serif }</style>\n<script>var last = '<p>not text</p>';</script></head>\n"
            f"<body><nav><a href=index.html>Home</a> &middot; <a href=people.html>People</a></nav>\n<h1>{title}</h1>\n{body}"
            "<footer>Northfold wiki, printed for the binder</footer></body></html>\n")


def files(_):
    for name, (title, parts) in PAGES.items():
        yield f"wiki/{name}.html", page(title, parts)
