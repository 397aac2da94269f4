import Retrieval
import System
import Testing

@Suite struct `The default corpus` {
    @Test func `the default corpus is the user's only corpus, whatever samples exist`() throws {
        let fixture = try CorpusFixture()
        _ = try fixture.store.create("northfold", isSample: true)
        #expect(try fixture.store.chosenCorpus(nil).name == "manuals")
        #expect(try CorpusAdding(fixture.store).corpus(named: nil, for: ["letters"]).name == "manuals")
        #expect(try fixture.store.chosenCorpus("northfold").name == "northfold")
    }

    @Test func `the default corpus is the sample if there is no other`() throws {
        let fixture = try CorpusFixture()
        try fixture.store.delete(fixture.corpus.id)
        #expect(throws: Problem.self) { _ = try fixture.store.chosenCorpus(nil) }
        _ = try fixture.store.create("northfold", isSample: true)
        #expect(try fixture.store.chosenCorpus(nil).name == "northfold")
    }

    @Test func `two corpora of the user have no default, and the error names them without samples`() throws {
        let fixture = try CorpusFixture()
        _ = try fixture.store.create("northfold", isSample: true)
        _ = try fixture.store.create("letters")
        let error = #expect(throws: Problem.self) { _ = try fixture.store.chosenCorpus(nil) }
        #expect(error?.sentence == "the workspace has 2 corpora (letters, manuals). Choose one with --corpus.")
    }
}
