import ArgumentParser
import Evals
import Traces
import Workspace

/// The `orrery eval` command: tasks, runs, and comparisons.
struct EvalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eval", abstract: "Run tasks, inspect samples, and test whether differences are real.",
        discussion: """
            orrery eval run TASK --model MODEL runs every sample of a task and saves each answer as it arrives; orrery \
            eval resume continues after an interruption. orrery eval show RUN --failed lists failures, and orrery eval \
            diff A B reports whether B is better. RUN is a number, a name, the start of a name, or latest; eval delete \
            and eval rename require the full name. Commands that read a run also accept logs of lm-eval, Inspect, \
            promptfoo, garak, and OpenAI evals.
            """,
        subcommands: [
            Run.self, Resume.self, List.self, Show.self, Diff.self, Compare.self, Drift.self, Fairness.self,
            Watch.self, Trace.self, Export.self,
            Pause.self, Continue.self, Cancel.self, Concurrency.self, Rename.self, Delete.self,
            Rate.self, Agreement.self, Judge.self, TestSets.self, Clusters.self,
            Explain.self, Power.self,
        ])
}
