import Retrieval
import TestFixtures
import Workbench
import Workspace

/// A workspace with the sample corpus and its questions, as a first start fills it.
enum SampleCorpus {
    static func workspace() throws -> TestWorkspace {
        try TestWorkspace(copying: try template.get(), as: "sample-corpus.orrery")
    }

    static func questions(_ made: TestWorkspace) throws -> [QuestionSet.Case] {
        let store = CorpusStore(made.workspace)
        guard let set = try store.questionSets(of: store.corpora()[0].id).first else { return [] }
        return try store.questions(in: set.id).cases
    }

    /// Every test gets a copy of one file.
    private static let template: Result<String, any Error> = Result {
        let made = try TestWorkspace()
        let store = CorpusStore(made.workspace)
        let corpus = try store.create("northfold", isSample: true)
        var options = AddOptions()
        options.isUndoable = false
        let folder = Place.root + "/sample-data/corpus"
        try store.add([folder + "/northfold"], to: corpus.id, options: options)
        _ = try CorpusAdding(store).embed(corpus)
        let questions = try Retriever(made.workspace).questions(folder + "/questions.jsonl", of: corpus)
        _ = try store.saveQuestions(questions, as: "northfold", corpus: corpus.id)
        return Keeper.shared.hold(made)
    }
}
