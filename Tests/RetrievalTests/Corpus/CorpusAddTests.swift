import Retrieval
import System
import TestFixtures
import Testing
import Workspace

@Suite("Adding documents to a corpus")
struct CorpusAddTests {
    @Test("a folder becomes searchable documents; unchanged files are not read again")
    func incremental() throws {
        let fixture = try CorpusFixture()
        let folder = TemporaryFolder()
        File.write("The orrery turns slowly.", to: folder.file("a.txt"))
        File.write("# Moons\n\nPhobos and Deimos.", to: folder.file("b.md"))
        let first = try fixture.store.add([folder.path], to: fixture.corpus.id)
        #expect(first.added == 2)
        #expect(first.bytesRead == 51)
        #expect(try fixture.lexical("orrery") == ["a.txt"])
        #expect(try fixture.lexical("deimos") == ["b.md"])

        let again = try fixture.store.add([folder.path], to: fixture.corpus.id)
        #expect((again.added, again.changed, again.unchanged, again.removed) == (0, 0, 2, 0))
        #expect(again.chunks == 0)

        File.write("The orrery stands still.", to: folder.file("a.txt"))
        let changed = try fixture.store.add([folder.path], to: fixture.corpus.id)
        #expect((changed.added, changed.changed, changed.unchanged) == (0, 1, 1))
        #expect(try fixture.lexical("slowly") == [])
        #expect(try fixture.lexical("still") == ["a.txt"])
        #expect(try fixture.store.corpus(fixture.corpus.id).documentCount == 2)
    }

    @Test("vanished files are named, and removed only on request")
    func vanished() throws {
        let fixture = try CorpusFixture()
        let folder = TemporaryFolder()
        File.write("The orrery turns.", to: folder.file("a.txt"))
        File.write("Phobos and Deimos.", to: folder.file("b.txt"))
        try fixture.store.add([folder.path], to: fixture.corpus.id)
        TemporaryFolder.remove(folder.file("a.txt"))
        let report = try fixture.store.add([folder.path], to: fixture.corpus.id)
        #expect(report.vanishedCount == 1)
        #expect(report.vanished.first?.hasSuffix("/a.txt") == true)
        #expect(try fixture.lexical("orrery") == ["a.txt"])

        var options = AddOptions()
        options.prunes = true
        let pruned = try fixture.store.add([folder.path], to: fixture.corpus.id, options: options)
        #expect(pruned.removed == 1)
        #expect(try fixture.lexical("orrery") == [])
        let corpus = try fixture.store.corpus(fixture.corpus.id)
        #expect((corpus.documentCount, corpus.chunkCount, corpus.byteCount) == (1, 1, 18))
    }

    @Test("records removed from their file leave the corpus; a duplicate id in a file is skipped and named")
    func records() throws {
        let fixture = try CorpusFixture()
        let folder = TemporaryFolder()
        let file = folder.file("log.jsonl")
        File.write("{\"_id\":\"1\",\"text\":\"one comet\"}\n{\"_id\":\"2\",\"text\":\"two comets\"}\n", to: file)
        #expect(try fixture.store.add([file], to: fixture.corpus.id).added == 2)
        File.write("{\"_id\":\"2\",\"text\":\"two comets\"}\n{\"_id\":\"2\",\"text\":\"three comets\"}\n", to: file)
        let report = try fixture.store.add([file], to: fixture.corpus.id)
        #expect((report.unchanged, report.removed, report.skippedCount) == (1, 1, 1))
        #expect(report.skipped.first?.contains("duplicate id") == true)
        #expect(try fixture.lexical("comet") == ["2"])
    }

    @Test("files with the same name in two folders both stay, under stable names")
    func sameNames() throws {
        let fixture = try CorpusFixture()
        let (one, two) = (TemporaryFolder(), TemporaryFolder())
        File.write("comet one", to: one.file("README.md"))
        File.write("comet two", to: two.file("README.md"))
        for _ in 0..<2 {
            try fixture.store.add([one.path, two.path], to: fixture.corpus.id)
            let names = try fixture.store.documents(of: fixture.corpus.id).map(\.name)
            #expect(names == ["README.md", (two.path.split(separator: "/").last ?? "") + "/README.md"])
        }
    }

    @Test("unchanged chunks keep their rows when the rest of a document changes")
    func stableChunks() throws {
        let fixture = try CorpusFixture(CorpusSettings(chunker: "sentence size=30 overlap=0"))
        let beginning = "The orrery turns slowly today. "
        try fixture.add([beginning + "The moons are behind it."])
        let document = try #require(try fixture.store.documents(of: fixture.corpus.id).first)
        let before = try fixture.store.chunks(of: document.id)
        try #require(before.count > 1)
        try fixture.add([beginning + "The comets are before it, all of them."])
        let after = try fixture.store.chunks(of: document.id)
        #expect(after.first?.id == before.first?.id)
        #expect(Set(after.dropFirst().map(\.id)).isDisjoint(with: before.map(\.id)))
        for chunk in after { #expect(try !fixture.store.text(of: chunk).isEmpty) }
        #expect(try fixture.lexical("moons") == [])
        #expect(try fixture.lexical("comets") == ["a"])
    }

    @Test("the text of a chunk is its range of the document's text, even across stored pieces")
    func ranges() throws {
        let fixture = try CorpusFixture(CorpusSettings(chunker: "fixed size=1000000 overlap=0"))
        let text = String(repeating: "Grüße vom Kometen. ", count: 300_000)
        try fixture.add([text])
        let document = try #require(try fixture.store.documents(of: fixture.corpus.id).first)
        #expect(try fixture.store.text(of: document.id) == text)
        let bytes = Array(text.utf8)
        for chunk in try fixture.store.chunks(of: document.id) {
            #expect(try Array(fixture.store.text(of: chunk).utf8) == Array(bytes[chunk.range]))
        }
    }

    @Test("a canceled add keeps complete batches, and the next add continues")
    func cancelled() throws {
        let fixture = try CorpusFixture()
        let (folder, options, report) = try fixture.addHalf()
        #expect(report.isCancelled)
        let kept = try fixture.store.corpus(fixture.corpus.id).documentCount
        #expect(kept > 0 && kept < 40)
        #expect(try fixture.lexical("comet").count == min(20, kept))
        let rest = try fixture.store.add([folder.path], to: fixture.corpus.id, options: options)
        #expect(rest.added == 40 - kept)
        #expect(rest.unchanged == kept)
    }

    @Test("an add is a job with a result")
    func job() throws {
        let fixture = try CorpusFixture()
        let folder = TemporaryFolder()
        File.write("The orrery turns.", to: folder.file("a.txt"))
        fixture.store.registerJobs()
        try fixture.store.addAsJob([folder.path], to: fixture.corpus.id)
        let job = try #require(try fixture.workspace.jobs.list().first)
        #expect(job.kind == CorpusStore.addJob)
        #expect(job.state == .done)
        #expect(job.result?.contains("\"added\":1") == true)
        #expect(try fixture.store.reports(of: fixture.corpus.id).count == 1)
    }

    @Test("renaming and deleting a corpus can be undone")
    func undo() throws {
        let fixture = try CorpusFixture()
        try fixture.add(["The orrery turns."])
        try fixture.store.rename(fixture.corpus.id, to: "handbooks")
        try fixture.store.delete(fixture.corpus.id)
        #expect(try fixture.store.corpora().isEmpty)
        #expect(try fixture.store.undo() == "Restored the corpus handbooks.")
        #expect(try fixture.store.undo() == "Renamed the corpus back to manuals.")
        #expect(try fixture.store.undo() == nil)
        #expect(try fixture.lexical("orrery") == ["a"])
        try fixture.store.delete(fixture.corpus.id)
        #expect(try fixture.store.prune() == 1)
        _ = try fixture.store.undo()
        #expect(try fixture.store.corpora().isEmpty)
    }

    @Test(
        "an invalid name or setting is an error",
        arguments: [
            (CorpusSettings(chunker: "windmill"), "x"), (CorpusSettings(analyzer: "klingon"), "x"),
            (CorpusSettings(fields: []), "x"), (CorpusSettings(b: 2), "x"), (CorpusSettings(), ""),
            (CorpusSettings(), "manuals"),
        ])
    func refused(settings: CorpusSettings, name: String) throws {
        let fixture = try CorpusFixture()
        #expect(throws: Problem.self) { try fixture.store.create(name, settings: settings) }
    }
}
