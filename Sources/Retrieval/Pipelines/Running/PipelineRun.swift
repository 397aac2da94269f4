public import System

/// A pipeline over a corpus, ready to be asked.
///
/// ```swift
/// let run = PipelineRun(definition, version: 3, over: session)
/// let record = try run("what torque do the dome bolts need?")
/// record.stages.map(\.name)           // ["lexical", "dense", "fused", "context"]
/// ```
/// Everything happens on the calling thread. What costs much (vectors, scores and answers of models) is kept in
/// ``memory`` and not worked out again.
public struct PipelineRun: Sendable {
    public var definition: PipelineDefinition
    /// Version of the definition in the workspace.
    public var version: Int
    public let source: any RetrievalSource
    public let resources: PipelineResources
    public let memory: PipelineMemory
    /// Number of entries beyond the last kept one that each stage shows.
    public var shownBehind: Int
    /// Whether to leave out stages that call a language model or a cross-encoder, and all stages that depend on them.
    /// The record lists them as pending. Stages that run give the same results either way.
    public var leavesModelsOut = false

    public init(
        _ definition: PipelineDefinition, version: Int = 1, over source: any RetrievalSource,
        resources: PipelineResources = PipelineResources(), memory: PipelineMemory = PipelineMemory(),
        shownBehind: Int = 50
    ) {
        self.definition = definition
        self.version = version
        self.source = source
        self.resources = resources
        self.memory = memory
        self.shownBehind = max(0, shownBehind)
    }

    /// Asks, and answers with the record of every stage.
    ///
    /// - Parameters:
    ///   - isCancelled: Asked between stages and within the long ones.
    ///   - listener: Gets the record after every stage, as far as it is then.
    /// - Throws: `Problem`; `isCancellation` tells that it was canceled.
    public func callAsFunction(
        _ query: String, isCancelled: @Sendable () -> Bool = { false },
        listener: (RetrievalRecord) -> Void = { _ in }
    ) throws(Problem) -> RetrievalRecord {
        try traced(query, isCancelled: isCancelled, listener: listener).record
    }

    /// Runs the pipeline and also returns the data for a trace: start time and model calls.
    public func traced(
        _ query: String, isCancelled: @Sendable () -> Bool = { false },
        listener: (RetrievalRecord) -> Void = { _ in }
    ) throws(Problem) -> TracedRecord {
        let calls = CallList()
        let start = Clock.nanoseconds(.wall)
        return try withoutActuallyEscaping(isCancelled) { isCancelled throws(Problem) in
            var work = PipelineWork(self, query, calls: calls, isCancelled: isCancelled)
            try work.run(listener)
            return TracedRecord(record: work.record, start: start, times: work.times, calls: calls)
        }
    }

    /// Returns a run with a changed pipeline and the same corpus and memory.
    public func changing(_ changes: [Remedy.Change]) throws(Problem) -> PipelineRun {
        var changed = self
        changed.definition = try definition.changing(changes.map { ($0.key, $0.after) })
        return changed
    }
}

/// A record with additional data for its trace.
public struct TracedRecord: Sendable {
    public var record: RetrievalRecord
    /// Nanoseconds since 1970.
    public var start: Int64
    /// Start time of each stage, in nanoseconds since 1970, by name.
    public var times: [String: Int64]
    public var calls: CallList
}
