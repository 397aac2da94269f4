import ArgumentParser
import Evals
import Traces
import Workspace

/// `orrery eval`: tasks, their runs, and whether a difference is real.
struct EvalCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eval", abstract: "Run tasks, look into every sample, and tell real differences from luck.",
        discussion: """
            orrery eval run TASK --model MODEL asks every sample of a task and keeps each answer at once; orrery eval \
            resume runs the rest after an interruption. orrery eval show RUN --failed lists what went wrong, orrery eval \
            diff A B says whether B is better. RUN is a number, a name, the beginning of one, or latest; eval delete and \
            eval rename want the name whole. Wherever a run is read, a log of another program will do as well: lm-eval, \
            Inspect, promptfoo, garak, OpenAI evals.
            """,
        subcommands: [
            Run.self, Resume.self, List.self, Show.self, Diff.self, Compare.self, Drift.self, Fairness.self,
            Watch.self, Trace.self, Export.self,
            Pause.self, Continue.self, Cancel.self, Concurrency.self, Rename.self, Delete.self,
            Rate.self, Agreement.self, Judge.self, TestSets.self, Clusters.self,
            Explain.self, Power.self, Bench.self,
        ])
}
