import Retrieval
import Testing

@Suite("The context")
struct ContextTests {
    /// Returns the context of chunks that are found in the order of their ids.
    private func context(_ items: [ToySource.Item], parents: [ToySource.Item] = [], _ toml: String) throws
        -> RetrievalRecord
    {
        var source = ToySource()
        source.items = items
        source.parents = parents
        for index in items.indices { source.items[index].nearness = 1 - Double(index) / 100 }
        let text = "[lexical]\nenabled = false\n[context]\n" + toml
        return try PipelineRun(try PipelineDefinition(text), over: source, resources: .toys)("q")
    }

    private func pieces(_ record: RetrievalRecord) -> [Int64] {
        record.context?.passages.compactMap { record[$0.passage].chunk } ?? []
    }

    @Test("the context includes passages that fit, even after one that does not")
    func budget() throws {
        let items: [ToySource.Item] = [
            .init(1, "one two three"), .init(2, "four five six seven eight"), .init(3, "nine ten"),
        ]
        let record = try context(items, "budget = 6")
        #expect(pieces(record) == [1, 3])
        #expect(record.context?.used == 5 && record.context?.budget == 6)
        #expect(record.stages.last?.entries.map(\.verdict) == [.kept, .dropped(.budget), .kept])
        #expect(try pieces(context(items, "budget = 0")) == [1, 2, 3])
        #expect(try pieces(context(items, "budget = 20\nunit = \"characters\"")) == [1])
    }

    @Test(
        "passages are put in the requested order",
        arguments: [
            ("score", [1, 2, 3, 4, 5] as [Int64]), ("edges", [1, 3, 5, 4, 2]), ("document", [1, 4, 2, 5, 3]),
        ])
    func order(name: String, wanted: [Int64]) throws {
        let items: [ToySource.Item] = [
            .init(1, "alpha", document: "a", range: 10..<15), .init(2, "bravo", document: "b", range: 0..<5),
            .init(3, "delta", document: "c", range: 0..<5), .init(4, "gamma", document: "a", range: 90..<95),
            .init(5, "omega", document: "b", range: 50..<55),
        ]
        let record = try context(items, "order = \"\(name)\"")
        #expect(pieces(record) == wanted)
        #expect(record.context?.passages.map(\.mark) == ["[1]", "[2]", "[3]", "[4]", "[5]"])
    }

    @Test("overlapping chunks are merged into one text")
    func merged() throws {
        let items: [ToySource.Item] = [
            .init(1, "bravo charlie", document: "a", range: 6..<19),
            .init(2, "alpha bravo", document: "a", range: 0..<11), .init(3, "alpha", document: "b"),
        ]
        let record = try context(items, "similarity = 1.0")
        let piece = try #require(record.context?.passages.first)
        #expect(piece.text == "alpha bravo charlie")
        #expect(piece.merged.map { record[$0].chunk } == [2])
        #expect(piece.size == 3 && record.context?.used == 4)
        #expect(record.stages.last?.entries.map(\.verdict) == [.kept, .kept, .kept])
        #expect(try context(items, "deduplicate = false").context?.used == 5)
    }

    @Test("chunks with overlapping ranges but different text are not merged")
    func claims() throws {
        let record = try context(
            [
                .init(1, "bravo charlie", document: "a", range: 6..<19),
                .init(2, "other text!", document: "a", range: 0..<11),
            ], "")
        #expect(record.context?.passages.map(\.text) == [nil, nil])
    }

    @Test("near-duplicates are left out and name the passage that they repeat")
    func duplicates() throws {
        let text = "the bolts of the dome need a torque of forty newton metres and no more"
        let record = try context(
            [.init(1, text), .init(2, "quite another text"), .init(3, text + " than that")], "similarity = 0.8")
        #expect(pieces(record) == [1, 2])
        #expect(record.stages.last?.entries[2].verdict == .dropped(.duplicate(of: PassageID(0))))
    }

    @Test("a parent is included once, whichever of its children were found")
    func parents() throws {
        let parent = ToySource.Item(90, "alpha bravo charlie delta", document: "a")
        let record = try context(
            [
                .init(1, "delta", document: "a", range: 20..<25, parent: 90),
                .init(2, "alpha", document: "a", range: 0..<5, parent: 90), .init(3, "omega", document: "b"),
            ], parents: [parent], "expand = \"parent\"")
        #expect(record.context?.passages.map(\.text) == ["alpha bravo charlie delta", nil])
        #expect(record.context?.passages[0].merged.map { record[$0].chunk } == [2])
        #expect(record.context?.used == 5)
    }
}

@Suite("Citations")
struct CitationTests {
    private let passages: [(mark: String, passage: PassageID, text: String)] = [
        ("[1]", PassageID(4), "The dome bolts take forty newton metres, not one more."),
        ("[2]", PassageID(7), "Use the long key for the mirror cell."),
    ]

    private func cited(_ answer: String) -> [String] {
        let bytes = Array(answer.utf8)
        return Citations.of(answer, passages: passages).map { citation in
            "\(citation.passage.index)\(citation.isExplicit ? "" : "?") "
                + String(decoding: bytes[citation.range], as: UTF8.self)
        }
    }

    @Test(
        "citations are found by mark and by shared wording",
        arguments: [
            ("Forty [1].", ["4 Forty [1]"]),
            ("It is so. Forty. [1] Really.", ["4 Forty. [1]"]),
            ("Both say it [1, 2].", ["4 Both say it [1, 2]", "7 Both say it [1, 2]"]),
            ("All [1-2]", ["4 All [1-2]", "7 All [1-2]"]),
            ("Two marks [1][2].", ["4 Two marks [1]", "7 Two marks [1][2]"]),
            ("No such passage [3], nor [x], nor [].", []),
            (
                "They say the dome bolts take forty newton metres here.",
                ["4? the dome bolts take forty newton metres"]
            ),
            ("THE DOME BOLTS TAKE FORTY NEWTON [1].", ["4 THE DOME BOLTS TAKE FORTY NEWTON [1]"]),
            ("The dome bolts take thirty.", []),
            ("Schöne Größe: [2]", ["7 Schöne Größe: [2]"]),
            ("", []),
        ])
    func found(answer: String, wanted: [String]) { #expect(cited(answer) == wanted) }
}
