import Retrieval
import TestFixtures
import Testing
import Workspace

@Suite("Undoing changes of a corpus")
struct CorpusUndoTests {
    /// What a corpus holds, with everything that points at it: rows, texts, metadata, and chunks.
    private struct State: Equatable {
        var documents: [DocumentRow]
        var texts: [String]
        var chunks: [[ChunkRow]]
        var metadata: [[String]]
        var counts: [Int64]
    }

    private func state(_ store: CorpusStore, _ corpus: Int64) throws -> State {
        let documents = try store.documents(of: corpus)
        let found = try store.corpus(corpus)
        return State(
            documents: documents, texts: try documents.map { try store.text(of: $0.id) },
            chunks: try documents.map { try store.chunks(of: $0.id) },
            metadata: try documents.map { try store.metadata(of: $0.id).map { "\($0.key) \($0.value)" } },
            counts: [Int64(found.documentCount), Int64(found.chunkCount), found.byteCount])
    }

    private func folder(_ files: [String: String]) -> TemporaryFolder {
        let folder = TemporaryFolder()
        for (name, text) in files { File.write(text, to: folder.file(name)) }
        return folder
    }

    @Test("undo removes the documents of an add and keeps earlier ones")
    func added() throws {
        let fixture = try CorpusFixture()
        let first = folder(["a.txt": "The orrery turns slowly."])
        let second = folder(["b.txt": "Phobos and Deimos.", "c.txt": "A comet."])
        try fixture.store.add([first.path], to: fixture.corpus.id)
        let before = try state(fixture.store, fixture.corpus.id)
        try fixture.store.add([second.path], to: fixture.corpus.id)
        let name = second.path.split(separator: "/").last ?? ""
        #expect(try fixture.store.lastChange()?.phrase == "adding \(name) to manuals")
        #expect(try fixture.store.undo() == "manuals: undid adding \(name): 2 documents removed.")
        #expect(try state(fixture.store, fixture.corpus.id) == before)
        #expect(try fixture.lexical("phobos comet") == [])
        #expect(try fixture.lexical("orrery") == ["a.txt"])
        // The files can be added again.
        #expect(try fixture.store.add([second.path], to: fixture.corpus.id).added == 2)
        #expect(try fixture.lexical("comet") == ["c.txt"])
    }

    @Test("undo restores changed and removed documents with rows, chunks, and metadata")
    func changed() throws {
        let fixture = try CorpusFixture(CorpusSettings(chunker: "sentence size=30 overlap=0"))
        let text = "The orrery turns slowly today. The moons are behind it."
        let folder = folder([
            "a.txt": text, "b.txt": "Phobos and Deimos.",
            "log.jsonl":
                "{\"_id\":\"1\",\"text\":\"one comet\",\"year\":1997}\n{\"_id\":\"2\",\"text\":\"two comets\"}\n",
        ])
        try fixture.store.add([folder.path], to: fixture.corpus.id)
        let before = try state(fixture.store, fixture.corpus.id)

        File.write("The orrery turns slowly today. The comets are before it.", to: folder.file("a.txt"))
        File.write("{\"_id\":\"2\",\"text\":\"three comets\"}\n", to: folder.file("log.jsonl"))
        TemporaryFolder.remove(folder.file("b.txt"))
        File.write("New here.", to: folder.file("d.txt"))
        var options = AddOptions()
        options.prunes = true
        let report = try fixture.store.add([folder.path], to: fixture.corpus.id, options: options)
        #expect((report.added, report.changed, report.removed) == (1, 2, 2))

        let sentence = try #require(try fixture.store.undo())
        #expect(sentence.hasSuffix(": 1 document removed, 4 documents restored."))
        #expect(try state(fixture.store, fixture.corpus.id) == before)
        #expect(try fixture.lexical("moons") == ["a.txt"])
        #expect(try fixture.lexical("phobos") == ["b.txt"])
        #expect(try fixture.lexical("three new") == [])
        // Files that are as they were after the add are read again by the next one.
        #expect(try fixture.store.add([folder.path], to: fixture.corpus.id).changed == 2)
    }

    @Test("restored chunks are found by their vectors again")
    func vectors() throws {
        let fixture = try CorpusFixture()
        let folder = folder(["a.txt": "aaaa bbbb", "b.txt": "cccc dddd"])
        try fixture.store.add([folder.path], to: fixture.corpus.id)
        _ = try CorpusAdding(fixture.store).embed(fixture.corpus)
        File.write("xxxx yyyy", to: folder.file("a.txt"))
        try fixture.store.add([folder.path], to: fixture.corpus.id)
        _ = try CorpusAdding(fixture.store).embed(fixture.corpus)
        _ = try CorpusAdding(fixture.store).undo()
        let source = try fixture.session().source()
        let vector = try source.embed(["aaaa bbbb"], as: .query, space: nil) { false }[0]
        let hits = try source.searchExactly(DenseRequest(vector: vector, k: 5)) { false }
        #expect(try fixture.names(hits, source) == ["a.txt", "b.txt"])
        #expect(try fixture.store.spaces(of: fixture.corpus.id).first?.vectorCount == 2)
    }

    @Test("undo deletes a corpus that the add created, and it can be created again")
    func madeForIt() throws {
        let fixture = try CorpusFixture()
        let folder = folder(["a.txt": "The orrery turns."])
        let made = try CorpusAdding(fixture.store).corpus(.new("papers"))
        try fixture.store.add([folder.path], to: made.id)
        let sentence = try #require(try fixture.store.undo())
        #expect(sentence.hasSuffix("1 document removed, the corpus was empty before, so it was deleted."))
        #expect(try fixture.store.corpora().map(\.name) == ["manuals"])
        let again = try CorpusAdding(fixture.store).corpus(.new("papers"))
        #expect(try fixture.store.add([folder.path], to: again.id).added == 1)
    }

    @Test("undo restores removed documents")
    func removal() throws {
        let fixture = try CorpusFixture()
        let folder = folder(["a.txt": "The orrery turns.", "b.txt": "Phobos."])
        try fixture.store.add([folder.path], to: fixture.corpus.id)
        let before = try state(fixture.store, fixture.corpus.id)
        try fixture.store.remove(documents: before.documents.map(\.id), from: fixture.corpus.id)
        #expect(try fixture.store.undo() == "manuals: undid removing a.txt and 1 more: 2 documents restored.")
        #expect(try state(fixture.store, fixture.corpus.id) == before)
        #expect(try fixture.lexical("phobos") == ["b.txt"])
    }

    @Test("a document whose name is taken is not restored, and the result says so")
    func taken() throws {
        let fixture = try CorpusFixture()
        let folder = folder(["a.txt": "The orrery turns.", "b.txt": "Phobos."])
        try fixture.store.add([folder.path], to: fixture.corpus.id)
        let documents = try fixture.store.documents(of: fixture.corpus.id)
        try fixture.store.remove(documents: documents.filter { $0.name == "a.txt" }.map(\.id), from: fixture.corpus.id)
        try fixture.store.add(
            documents: [SourceDocument(id: "a.txt", text: "Another.", metadata: [:])], to: fixture.corpus.id)
        let sentence = try #require(try fixture.store.undo())
        #expect(sentence.hasSuffix("a.txt could not be restored: another document now has its name."))
        #expect(try fixture.lexical("another") == ["a.txt"])
    }

    @Test("an add that is canceled and then finished is one change")
    func continued() throws {
        let fixture = try CorpusFixture()
        let (folder, options, half) = try fixture.addHalf()
        #expect(half.isCancelled && half.added > 0)
        // What the first half brought is not kept as a state to go back to when the second one changes it.
        File.write("comet again", to: folder.file("10.txt"))
        try fixture.store.add([folder.path], to: fixture.corpus.id, options: options)
        #expect(try fixture.store.undo()?.contains("40 documents removed") == true)
        #expect(try fixture.store.corpora().isEmpty)
        #expect(try fixture.store.undo() == nil)
    }

    @Test("changes are undone last to first; an add without changes does not count")
    func order() throws {
        let fixture = try CorpusFixture()
        let folder = folder(["a.txt": "The orrery turns."])
        try fixture.add(["Already here."])
        try fixture.store.add([folder.path], to: fixture.corpus.id)
        try fixture.store.add([folder.path], to: fixture.corpus.id)
        try fixture.store.rename(fixture.corpus.id, to: "handbooks")
        #expect(try fixture.store.lastChange()?.phrase == "renaming manuals to handbooks")
        #expect(try fixture.store.undo() == "Renamed the corpus back to manuals.")
        #expect(try fixture.store.undo()?.hasSuffix("1 document removed.") == true)
        #expect(try fixture.store.undo() == nil)
        #expect(try fixture.lexical("already") == ["a"])
    }

    @Test("after pruning, adds are final")
    func pruned() throws {
        let fixture = try CorpusFixture()
        let folder = folder(["a.txt": "The orrery turns."])
        try fixture.store.add([folder.path], to: fixture.corpus.id)
        try fixture.store.prune()
        #expect(try fixture.store.lastChange()?.phrase == nil)
        #expect(try fixture.store.undo() == "That change can no longer be undone.")
        #expect(try fixture.lexical("orrery") == ["a.txt"])
    }

    @Test("the indexes are complete after an undo")
    func integrity() throws {
        let fixture = try CorpusFixture()
        let folder = folder(["a.txt": "The orrery turns.", "b.txt": "Phobos."])
        try fixture.store.add([folder.path], to: fixture.corpus.id)
        File.write("Deimos.", to: folder.file("b.txt"))
        try fixture.store.add([folder.path], to: fixture.corpus.id)
        _ = try fixture.store.undo()
        let retriever = Retriever(fixture.workspace)
        #expect(try retriever.indexes(of: fixture.store.corpus(fixture.corpus.id)).problems == [])
    }
}

@Suite("Target corpus of an add")
struct AddTargetTests {
    private func names(_ targets: [AddTarget]) -> [String] {
        targets.map { target in if case .new(let name) = target { "+ \(name)" } else { target.name } }
    }

    @Test("the current corpus is proposed first, then a new one named after the folder, and sample data last")
    func proposals() throws {
        let fixture = try CorpusFixture()
        let sample = try fixture.store.create("north", isSample: true)
        let adding = CorpusAdding(fixture.store)
        #expect(
            names(try adding.targets(for: ["/x/docs"], current: fixture.corpus.id)) == ["manuals", "+ docs", "north"])
        #expect(names(try adding.targets(for: ["/x/docs"], current: sample.id)) == ["+ docs", "manuals", "north"])
        #expect(names(try adding.targets(for: ["/x/docs"])) == ["manuals", "+ docs", "north"])
        #expect(names(try adding.targets(for: ["/x/north"], current: sample.id)) == ["+ north 2", "manuals", "north"])
        _ = try fixture.store.create("docs")
        #expect(names(try adding.targets(for: ["/x/docs"])).first == "docs")
    }

    @Test("without a name, files never go into sample data")
    func unnamed() throws {
        let fixture = try CorpusFixture()
        try fixture.store.delete(fixture.corpus.id)
        let sample = try fixture.store.create("north", isSample: true)
        let adding = CorpusAdding(fixture.store)
        #expect(try adding.corpus(named: nil, for: ["/x/north"]).id != sample.id)
        #expect(try adding.corpus(named: nil, for: ["docs/"]).name != "north")
        #expect(try adding.corpus(named: "north", for: ["docs/"]).id == sample.id)
    }
}
