import Console
import JSON
import Tables
import Testing

@Suite("Columns declared once")
struct ColumnsTests {
    /// A planet with every kind of column.
    struct Planet: Tabular, Sendable {
        var name: String
        var moons: Int
        var mass: Double
        var discoverer: String?
        var rings: [String] = []

        static func columns(_ table: inout Columns<Planet>) {
            table.text("planet", json: "name", \.name)
            table.text("moons", json: "moons", align: .right, \.moons)
            table.text("mass", json: nil, align: .right, \.mass) { "\(Int($0)) Yg" }
            table.text("found by", ifPresent: "discoverer", \.discoverer)
            table.text("size") { $0.mass > 100 ? "large" : "small" }
            table.member("rings", \.rings)
            table.member("ring", ifPresent: \.rings.first)
        }
    }

    private static let planets = [
        Planet(name: "Saturn", moons: 274, mass: 568.5, discoverer: nil, rings: ["C", "B"]),
        Planet(name: "Uranus", moons: 28, mass: 86.25, discoverer: "Herschel, W."),
    ]

    @Test("text is aligned, ends without blanks, and omits columns of JSON alone")
    func text() {
        #expect(
            Planet.table.text(Self.planets) == """
                planet  moons    mass  found by      size
                Saturn    274  568 Yg                large
                Uranus     28   86 Yg  Herschel, W.  small
                """)
    }

    @Test("an empty last cell leaves no blanks at the end of a line")
    func trailingBlanks() {
        let table = Columns<Int> { table in
            table.text("number") { String($0) }
            table.text("") { $0 > 1 ? "large" : "" }
        }
        #expect(table.text([1, 2]) == "number\n1\n2       large")
    }

    @Test("CSV has its own titles and values where a column declares them")
    func declaredValues() {
        let table = Columns<Planet> { table in
            table.text("", csv: "id") { $0.name }
            table.text("", json: nil, csv: "moons", \.moons) { "\($0) moons" }
            table.text("mass", csv: { $0.mass > 500 ? nil : $0.mass }) { "\($0.name): \($0.mass)" }
        }
        #expect(table.text(Self.planets, .csv) == "id,moons,mass\nSaturn,274,\nUranus,28,86.25\n")
    }

    @Test("control characters are shown, in text and in Markdown")
    func controlCharacters() {
        let planet = Planet(name: "a\u{1B}[2J\nb", moons: 0, mass: 0)
        #expect(Planet.table.text([planet]).contains("a␛[2J␊b"))
        #expect(Planet.table.text([planet], .markdown).contains("| a␛[2J␊b | 0 |"))
    }

    @Test("JSON contains keys in order, typed values, and no member for a missing value")
    func json() {
        let records = Planet.table.records(Self.planets)
        #expect(
            records.json(.compact) == """
                [{"name":"Saturn","moons":274,"rings":["C","B"],"ring":"C"},\
                {"name":"Uranus","moons":28,"discoverer":"Herschel, W.","rings":[]}]
                """)
        #expect(Self.planets[1].record.json() == records[1].json())
    }

    @Test("rows of columns without keys use their own JSON")
    func ownJSON() {
        #expect(Columns<Int> { $0.text("number") { "no. \($0)" } }.records([7]).json() == "[7]")
    }

    @Test("CSV contains keys, unformatted values, and quotes where RFC 4180 requires them")
    func csv() {
        var planets = Self.planets
        planets[0].name = "the \"ringed\"\nplanet"
        #expect(
            Planet.table.text(planets, .csv) == """
                name,moons,mass,discoverer,size
                "the ""ringed""
                planet",274,568.5,,large
                Uranus,28,86.25,"Herschel, W.",small

                """)
    }

    @Test("Markdown aligns numbers and escapes characters with a meaning")
    func markdown() {
        var planet = Self.planets[0]
        planet.name = "a|b *c* `d` <e>"
        #expect(
            Planet.table.text([planet], .markdown) == """
                | planet | moons | mass | found by | size |
                | --- | ---: | ---: | --- | --- |
                | a\\|b \\*c\\* \\`d\\` \\<e> | 274 | 568 Yg |  | large |

                """)
    }

    @Test("a list uses the cells of the printed table")
    func list() {
        let theme = Theme.dark
        var columns = Columns<Planet>(width: 24, theme: theme)
        columns.add(shared: "planet", of: \.self, minimum: 8, weight: 1) { _ in .accent }
        columns.add(shared: "moons", of: \.self, minimum: 5) { _ in .dim }
        var surface = Surface(Size(24, 3))
        columns.draw(Self.planets, ListView(count: 2), into: &surface, in: surface.bounds, isFocused: false)
        let lines = surface.textDump.split(separator: "\n")
        #expect(lines.count == 3 && lines[0].contains("planet") && lines[0].contains("moons"))
        #expect(lines[1].contains("Saturn") && lines[1].contains("274"))
        #expect(lines[2].contains("Uranus") && lines[2].contains("28"))
    }
}
