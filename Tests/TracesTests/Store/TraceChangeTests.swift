import Testing
import Traces
import Workspace

@Suite("Changing runs")
struct TraceChangeTests {
    private let fixture: StoreFixture
    private var store: TraceStore { fixture.store }

    init() throws {
        fixture = try StoreFixture()
        for number in 0..<4 {
            try fixture.write(MadeSession("s\(number)", steps: 2).text, to: "data/\(number).jsonl")
        }
        try store.importTraces([fixture.folder + "/data"])
    }

    @Test("deletes and restores, and undoes in the opposite order, also after closing")
    func undo() throws {
        let recorded = try #require(try store.summary(3)?.name)
        try store.delete([1, 2])
        try store.rename(3, to: "Mine")
        try store.rename(3, to: "Mine again")
        try store.delete([3, 3, 999])
        #expect(try store.identifiers().count == 1)
        #expect(try store.deleted().count == 3)

        let later = try fixture.reopened()
        #expect(try later.undo() == "Restored the run.")
        #expect(try later.summary(3)?.name == "Mine again")
        #expect(try later.undo() == "Restored the name Mine.")
        #expect(try later.undo() == "Restored the recorded name.")
        #expect(try later.summary(3)?.name == recorded)
        #expect(try later.undo() == "Restored 2 runs.")
        #expect(try later.undo() == nil)
        #expect(try later.identifiers().count == 4)
    }

    @Test("forgets changes further back than a hundred")
    func depth() throws {
        for number in 0..<130 { try store.rename(1, to: "name \(number)") }
        var undone = 0
        while try store.undo() != nil { undone += 1 }
        #expect(undone == 100)
        #expect(try store.summary(1)?.name == "name 29")
    }

    @Test("prunes what was deleted, with its sources, texts and index entries, and nothing else")
    func prune() throws {
        try store.indexText()
        let kept = try store.trace(4)
        let (first, last) = (try store.messages(of: 1), try store.messages(of: 4))
        try store.delete([1, 2, 3])
        let pruned = try store.prune()
        #expect(pruned.runs == 3 && pruned.sources == 3)
        #expect(try store.undo() == nil)
        #expect(try store.rowCounts().prefix(4) == [1, 1, 1, 1])
        #expect(try store.trace(4)?.spans == kept?.spans)
        #expect(try TraceStore(store.workspace).messages(first).allSatisfy { $0 == nil })
        #expect(try TraceStore(store.workspace).messages(last).allSatisfy { $0 != nil })
        #expect(try store.search("question").hits.allSatisfy { $0.trace == 4 })

        let again = try store.importTraces([fixture.folder + "/data"])
        #expect(again.newTraces == 3)
        #expect(try store.identifiers().allSatisfy { $0 >= 4 }, "rows are never used again")
        #expect(try store.search("Question 1").hits.count == 4)
        try store.indexText()
        #expect(try store.search("Question 1").hits.count == 4)
    }

    @Test("keeps letters at one span each, and notes")
    func marks() throws {
        try store.mark("a", span: 0, of: 1)
        try store.mark("b", span: 0, of: 1)
        try store.mark("a", span: 2, of: 1)
        try store.mark("a", span: 1, of: 2)
        try store.setNote("look here", span: 0, of: 1)
        #expect(
            try store.marks(of: 1) == [
                SpanMark(span: 0, letter: nil, note: "look here"), SpanMark(span: 0, letter: "b"),
                SpanMark(span: 2, letter: "a"),
            ])
        try store.setNote("", span: 0, of: 1)
        try store.removeMark("b", of: 1)
        #expect(try store.marks(of: 1) == [SpanMark(span: 2, letter: "a")])
        #expect(try store.marks(of: 2) == [SpanMark(span: 1, letter: "a")])
    }
}
