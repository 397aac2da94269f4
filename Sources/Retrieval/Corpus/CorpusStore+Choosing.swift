internal import System

extension CorpusStore {
    /// Returns the corpus of a name, or the default corpus: the user's only corpus, or else the only sample corpus.
    ///
    /// - Throws: `Problem` if there is no corpus of that name, no corpus at all, or no default.
    public func chosenCorpus(_ name: String?) throws -> Corpus {
        if let name { return try corpus(named: name) }
        let all = try corpora()
        guard !all.isEmpty else {
            throw Problem(
                .missing, "", "the workspace has no corpus yet", remedy: "Create one with orrery corpus add FOLDER.")
        }
        let own = all.filter { !$0.isSample }
        let candidates = own.isEmpty ? all : own
        if let only = candidates.only { return only }
        let names = candidates.prefix(8).map(\.name).joined(separator: ", ")
        let more = candidates.count > 8 ? ", ..." : ""
        throw Problem(
            .invalid, "", "the workspace has \(candidates.count) corpora (\(names)\(more))",
            remedy: "Choose one with --corpus.")
    }
}

extension Collection {
    /// The element of a collection of one.
    var only: Element? { count == 1 ? first : nil }
}
