internal import Configuration
internal import System

extension Retriever {
    /// Returns a question set of the workspace, a file of JSON lines, or the questions and judgments of a BEIR folder.
    public func questions(_ word: String, of corpus: Corpus) throws -> QuestionSet {
        if let known = try store.questionSets(of: corpus.id).first(where: { $0.name == word }) {
            return try store.questions(in: known.id)
        }
        if word.hasSuffix(".jsonl") {
            guard let bytes = SmallFile.content(word, limit: 256 << 20) else {
                throw Problem(.invalid, word, "cannot be read as a question file")
            }
            return try QuestionSet(parsing: bytes, word)
        }
        if word.contains("/") || word == "." { return try QuestionSet(BEIRCollection(folder: word)) }
        let names = try store.questionSets(of: corpus.id).map(\.name)
        throw Problem(
            .unknown, word, "unknown question set",
            remedy: NearestName.remedy(word, among: names, none: "Use a .jsonl file or a BEIR folder."))
    }
}

extension CorpusStore {
    /// Returns the question sets of a corpus, and those without a corpus.
    public func questionSets(of corpus: Int64) throws -> [StoredQuestionSet] {
        try questionSets().filter { $0.corpus == nil || $0.corpus == corpus }
    }
}

extension QuestionSet {
    /// Questions of a BEIR folder that have judgments.
    init(_ collection: BEIRCollection, split: String = "test") throws {
        self.init()
        var gold: [String: [Gold]] = [:]
        for judgment in try collection.judgments(split) where judgment.grade > 0 {
            gold[judgment.query, default: []].append(Gold(judgment.document, grade: judgment.grade))
        }
        var cases: [Case] = []
        for query in try collection.queries() {
            guard let found = gold[query.id] else { continue }
            cases.append(Case(id: query.id, question: query.text, gold: found))
        }
        append(checked: cases)
    }
}
