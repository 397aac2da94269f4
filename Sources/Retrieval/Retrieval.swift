public import Workspace

/// Workspace tables for corpora, their indexes, pipelines, and questions.
public enum Retrieval {
    /// The steps that make the tables of retrieval.
    public static let migrations = [
        Migration("retrieval: corpora, documents, chunks, metadata", sql: CorpusTables.documents),
        Migration("retrieval: indexes, pipelines, questions, reports", sql: CorpusTables.indexes),
        WorkspaceSegments.migration,
        Migration("retrieval: sample corpora, adds that can be undone", sql: CorpusTables.edits),
    ]
}
