internal import Evals
package import Workspace

/// Work of this process that can continue in a background process after the user leaves.
package struct Departure: Sendable {
    package var name: String
    /// Progress, such as `step 1,204 of 5,000, the last checkpoint is 40 s old`.
    package var standing: String
    /// Reason why the work cannot continue in the background, or `nil`.
    package var refusal: String?
    /// Starts the process, which continues once this process has ended the work.
    package var continueInBackground: @Sendable () throws -> Void

    package init(
        name: String, standing: String, refusal: String? = nil,
        continueInBackground: @escaping @Sendable () throws -> Void
    ) {
        self.name = name
        self.standing = standing
        self.refusal = refusal
        self.continueInBackground = continueInBackground
    }

    /// Returns whether a job of this kind may continue in the background.
    static func isPossible(_ job: Job) -> Bool {
        [trainingJob, EvalStore.workbenchJob, EvalRunner.jobKind].contains(job.kind)
    }

    /// Returns the training and eval runs that end with this process.
    ///
    /// - Parameter jobs: Running jobs of this process.
    package static func underWay(
        _ jobs: Set<Int64>, in workspace: Workspace, now: @escaping @Sendable () -> Int64
    ) throws -> [Departure] {
        try training(in: workspace, now: now()) + evals(jobs, in: workspace)
    }
}
