import Retrieval
import System
import Testing

@Suite("Filters over metadata")
struct MetadataFilterTests {
    private static let documents: [[String: MetadataValue]] = [
        ["kind": .text("manual"), "year": .number(2019), "draft": .bool(true), "made": .date(day(2024, 5))],
        ["kind": .text("ticket"), "year": .number(2021), "tags": .texts(["red", "urgent"]), "draft": .bool(false)],
        ["kind": .text("Manual"), "year": .text("2021"), "tags": .texts(["blue"]), "made": .date(day(2024, 6))],
        ["the key": .text("a b"), "year": .number(-3.5), "made": .date(day(1969, 1))],
        [:],
    ]

    /// Returns the first of a month, in nanoseconds since 1970.
    private static func day(_ year: Int, _ month: Int) -> Int64 {
        let days = [1969: -365, 2024: 19_723][year]! + [1: 0, 5: 121, 6: 152][month]!
        return Int64(days) * 86_400_000_000_000
    }

    private func fixture() throws -> CorpusFixture {
        let fixture = try CorpusFixture()
        try fixture.add(["one", "two", "three", "four", "five"], metadata: Self.documents)
        return fixture
    }

    @Test(
        "an expression matches the expected documents",
        arguments: [
            ("", "abcde"), ("kind = manual", "a"), (#"kind = "manual" or kind = "ticket""#, "ab"),
            ("kind != manual", "bc"),
            ("not kind = manual", "bcde"), ("kind contains MAN", "ac"), ("kind exists", "abc"), ("exists(tags)", "bc"),
            ("not exists kind", "de"), ("year = 2021", "bc"), ("year >= 2020", "b"), ("year < 0", "d"),
            ("year > -4", "abd"),
            ("year in (2019, 2021)", "abc"), ("year not in (2019, 2021)", "de"), ("draft = true", "a"),
            ("draft = false and year = 2021", "b"), ("tags = red", "b"), ("tags != red", "c"),
            ("tags contains ur", "b"),
            ("made = 2024", "ac"), ("made = 2024-05", "a"), ("made >= 2024-06", "c"), ("made < 1970", "d"),
            ("made <= 2024-05-01", "ad"), ("made = \"2024-06-01T00:00\"", "c"), ("`the key` = 'a b'", "d"),
            ("kind < n", "ac"), ("kind > \"a\"", "ab"), ("(kind = manual or kind = ticket) and not draft = true", "b"),
            ("doc.id = c", "c"), ("doc.id in (a, e)", "ae"), ("doc.bytes > 3", "cde"),
            ("doc.namespace = default", "abcde"),
            ("kind:manual", "a"), ("kind:\"manual\" or kind:ticket", "ab"),
            ("(year:2021 and not draft:true)", "bc"), ("doc.title exists", ""), ("doc.added > 2020", "abcde"),
            ("nothing = 1", ""), ("nothing != 1", ""),
        ])
    func meaning(expression: String, names: String) throws {
        let fixture = try fixture()
        let filter = try MetadataFilter(parsing: expression)
        let found = try fixture.store.documents(of: fixture.corpus.id, matching: filter).map(\.name).joined()
        #expect(found == names)
        // The explanation of single documents agrees with the search.
        let source = try fixture.session().source()
        for name in ["a", "b", "c", "d", "e"] {
            let chunk = try #require(try source.chunks(ofDocument: name).first)
            #expect(try source.exclusions(of: chunk, by: expression).isEmpty == names.contains(name))
        }
        #expect(try source.resolve(filter: expression).count == names.count)
    }

    @Test("SQL and the explanation of single documents agree on any expression", arguments: 0..<4)
    func agreement(seed: UInt64) throws {
        let fixture = try fixture()
        let source = try fixture.session().source()
        var chance = Chance(seed)
        for _ in 0..<60 {
            let expression = Self.expression(&chance, depth: 3)
            let filter = try MetadataFilter(parsing: expression)
            let found = try fixture.store.documents(of: fixture.corpus.id, matching: filter).map(\.name)
            let judged = try ["a", "b", "c", "d", "e"].filter { name in
                let chunk = try #require(try source.chunks(ofDocument: name).first)
                return try source.exclusions(of: chunk, by: expression).isEmpty
            }
            #expect(found == judged, "\(expression)")
        }
    }

    private static func expression(_ chance: inout Chance, depth: Int) -> String {
        switch chance.below(depth > 0 ? 7 : 4) {
        case 4: return "(\(expression(&chance, depth: depth - 1)) and \(expression(&chance, depth: depth - 1)))"
        case 5: return "(\(expression(&chance, depth: depth - 1)) or \(expression(&chance, depth: depth - 1)))"
        case 6: return "not \(expression(&chance, depth: depth - 1))"
        default:
            let key = chance.of(["kind", "year", "tags", "draft", "made", "doc.bytes", "doc.kind", "doc.added"])
            let values = ["manual", "2021", "\"2021\"", "red", "true", "false", "2024-05", "2024", "-3.5", "'Manual'"]
            switch chance.below(4) {
            case 0: return "\(key) in (\(chance.of(values)), \(chance.of(values)))"
            case 1: return "\(key) contains \(chance.of(values))"
            case 2: return "exists(\(key))"
            default: return "\(key) \(chance.of(["=", "!=", "<", "<=", ">", ">="])) \(chance.of(values))"
            }
        }
    }

    @Test(
        "a syntax error names its column and a remedy",
        arguments: [
            (
                "kind =",
                "filter, column 6: a value is missing after kind =. Use a word, a number, a date, or text in quotes."
            ),
            ("kind", "filter, column 1: an operator is missing after kind."),
            ("(kind = a", "filter, column 1: unclosed \"(\". Add \")\" at the end of the group."),
            ("kind = a)", "filter, column 9: unexpected \")\". Remove it, or add \"(\" before the group."),
            ("kind = \"a", "filter, column 8: unclosed quotation mark. Close it at the end of the text."),
            ("and kind = a", "filter, column 1: a condition is missing before and."),
            ("kind = a b = c", "filter, column 10: expected \"and\", \"or\", or the end."),
            ("doc.colour = a", "filter, column 1: unknown key \"doc.colour\"."),
            ("käse in a", "filter, column 9: expected \"(\"."), ("kind ! a", "filter, column 6: unexpected \"!\"."),
            ("a in (1, )", "filter, column 8: a value is missing after a in."),
            (String(repeating: "(", count: 5_000), "filter, column 65: groups are nested more than 64 deep."),
            (String(repeating: "not ", count: 5_000), "filter, column 257: groups are nested more than 64 deep."),
        ])
    func wrong(expression: String, sentence: String) {
        let error = #expect(throws: Problem.self) { try MetadataFilter(parsing: expression) }
        #expect(error?.sentence.hasPrefix(sentence) == true, "\(error?.sentence ?? "")")
    }

    @Test("clauses that exclude a document are named with its actual values")
    func exclusions() throws {
        let source = try fixture().session().source()
        let chunk = try #require(try source.chunks(ofDocument: "b").first)
        let found = try source.exclusions(of: chunk, by: "kind = manual and year >= 2020 and made > 2023")
        #expect(
            found == [
                FilterExclusion(
                    clause: "kind = manual", actual: #"kind is "ticket""#, without: "year >= 2020 and made > 2023"),
                FilterExclusion(
                    clause: "made > 2023", actual: "made is missing", without: "kind = manual and year >= 2020"),
            ])
        let alone = try source.exclusions(of: chunk, by: "not (kind = ticket or draft = true)")
        #expect(alone.map(\.clause) == ["not (kind = ticket or draft = true)"])
        #expect(alone.map(\.without) == [""])
    }

    @Test("very long conditions stay within SQLite's nesting limit")
    func many() throws {
        let fixture = try fixture()
        let expression = (0..<500).map { "year != \($0)" }.joined(separator: " and ")
        let filter = try MetadataFilter(parsing: expression)
        #expect(try fixture.store.documents(of: fixture.corpus.id, matching: filter).map(\.name).joined() == "abcd")
    }
}

/// Numbers by chance, the same for every run.
struct Chance {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func below(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(limit))
    }

    mutating func of<Element>(_ list: [Element]) -> Element { list[below(list.count)] }
}
