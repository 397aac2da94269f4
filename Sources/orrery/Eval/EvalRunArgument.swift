import ArgumentParser
import Evals
import Traces
import Workspace

/// Which run of the workspace a command works on.
struct EvalRunArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("A run: its number, its name or how that begins, or latest.", valueName: "run"),
        completion: EvalRunNames.completion)
    var word: String

    /// - Throws: `Failure` or `EvalRunError` if no run of the workspace is meant.
    func find(in store: EvalStore) throws -> Int64 {
        try EvalRunNames.number(of: word, in: store) { try store.find(word) }
    }
}

/// Which run of the workspace a command renames or deletes: the beginning of a name is refused.
struct EvalWholeRunArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("A run: its number, its whole name, or latest.", valueName: "run"),
        completion: EvalRunNames.completion)
    var word: String

    /// - Throws: `Failure` or `EvalRunError` if no run of the workspace is meant.
    func find(in store: EvalStore) throws -> Int64 {
        try EvalRunNames.number(of: word, in: store) { try store.find(whole: word) }
    }
}
