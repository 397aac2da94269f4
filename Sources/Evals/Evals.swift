public import Workspace

/// Tables of evaluations in a workspace: runs with their samples, human ratings, and versions of prompts.
public enum Evals {
    /// Migrations that create the tables, those of each part in order.
    public static let migrations = EvalStore.migrations + ReviewStore.migrations + PromptStore.migrations

    /// Checks of these tables for `orrery workspace check`.
    public static let checks = EvalStore.checks
}
