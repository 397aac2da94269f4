package import ArgumentParser
package import Retrieval

/// An option that selects a corpus.
package struct CorpusOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: "Corpus (default: your only corpus, or the sample).")
    package var corpus: String?

    package init() {}

    /// Returns the named or default corpus.
    package func find(in store: CorpusStore) throws -> Corpus { try store.chosenCorpus(corpus) }
}
