package import ArgumentParser

/// All nouns of the command line that work without the workbench.
package enum Commands {
    /// Commands for data, models, and measurements, in the order of the help.
    package static let data: [any ParsableCommand.Type] = [
        TraceCommand.self, CorpusCommand.self, ModelCommand.self, TrainCommand.self, AttentionCommand.self,
        FeatureCommand.self, AgentCommand.self, EvalCommand.self, KernelCommand.self,
    ]

    /// The command for workspace files.
    package static let workspace: any ParsableCommand.Type = WorkspaceCommand.self
}
