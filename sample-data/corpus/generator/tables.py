"""Tables in CSV: parts, filters, detectors, fuses."""


def files(chance):
    parts = ["part,name,system,shelf,count"]
    known = [
        ("MC-R-0042", "air regulator of an axial support", "mirror", "B2", 0),
        ("77-A0413", "cold head", "cryo", "C4", 0),
        ("FX-118", "oil filter", "mount", "A1", 6),
        ("DM-HB-16S", "hinge bolt M16 stainless", "dome", "D3", 24),
        ("DM-HB-16C", "hinge bolt M16 steel", "dome", "D3", 8),
        ("DM-LS-4", "limit switch", "dome", "D1", 3),
        ("DM-OT-1", "overtravel switch", "dome", "D1", 1),
        ("PW-CH-3", "charger of the start battery", "power", "E2", 1),
        ("RS-2", "heated rain sensor", "weather", "A4", 2),
        ("GS-7", "ground strap", "lark", "C1", 5),
    ]
    for part, name, system, shelf, count in known:
        parts.append(f"{part},{name},{system},{shelf},{count}")
    kinds = ["bearing", "connector", "relay", "hose", "gasket", "cable", "fan", "lamp", "valve", "board"]
    systems = ["dome", "mount", "mirror", "heron", "lark", "guider", "weather", "cryo", "power"]
    for number in range(60):
        system = chance.choice(systems)
        kind = chance.choice(kinds)
        parts.append(
            f"{system[:2].upper()}-{kind[0].upper()}-{1000 + number * 7},{kind},{system},"
            f"{chance.choice('ABCDE')}{chance.randint(1, 6)},{chance.randint(0, 12)}")
    yield "tables/parts.csv", "\n".join(parts) + "\n"

    filters = ["position,filter,center_nm,width_nm,transmission"]
    for row in [(1, "u", 355, 62, 0.71), (2, "g", 475, 138, 0.93), (3, "r", 622, 136, 0.94), (4, "i", 763, 150, 0.95),
                (5, "z", 905, 130, 0.9), (6, "H-alpha", 656.3, 6.5, 0.88), (7, "O III", 500.7, 5.2, 0.86), (8, "clear", 620, 640, 0.97)]:
        filters.append(",".join(str(cell) for cell in row))
    yield "tables/filters.csv", "\n".join(filters) + "\n"

    yield "tables/detectors.csv", (
        "camera,pixels,pixel_um,gain,noise_slow,noise_fast,temperature_c\n"
        "Lark,9216x9232,10,1.54,4.1,8.8,-105\n"
        "Heron,4096x4112,15,1.12,2.9,5.6,-120\n"
        "guider,1280x1024,4.8,0.37,6.9,6.9,12\n")
