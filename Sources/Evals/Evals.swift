public import Workspace

/// What a workspace keeps of evaluations: runs with their samples, ratings of people, versions of prompts.
public enum Evals {
    /// The steps that make the tables, those of each part in their own order.
    public static let migrations = EvalStore.migrations + ReviewStore.migrations + PromptStore.migrations

    /// What `orrery workspace check` looks at in them.
    public static let checks = EvalStore.checks
}
