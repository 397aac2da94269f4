internal import Evals
package import Workspace

/// Work of this process that can continue in a process of its own when the user leaves the workbench.
package struct Departure: Sendable {
    package var name: String
    /// `step 1,204 of 5,000, the last checkpoint is 40 s old`.
    package var standing: String
    /// Why the work cannot continue in the background, or nil.
    package var refusal: String?
    /// Starts the process, which continues once this process has ended the work.
    package var goOn: @Sendable () throws -> Void

    package init(
        name: String, standing: String, refusal: String? = nil, goOn: @escaping @Sendable () throws -> Void
    ) {
        self.name = name
        self.standing = standing
        self.refusal = refusal
        self.goOn = goOn
    }

    /// Whether a job of this kind may continue in the background.
    static func isPossible(_ job: Job) -> Bool {
        [trainingJob, EvalStore.workbenchJob, EvalRunner.jobKind].contains(job.kind)
    }

    /// The training and eval runs that end when this process does.
    ///
    /// - Parameter jobs: running jobs of this process.
    package static func underWay(
        _ jobs: Set<Int64>, in workspace: Workspace, now: @escaping @Sendable () -> Int64
    ) throws -> [Departure] {
        try training(in: workspace, now: now()) + evals(jobs, in: workspace)
    }
}
