import ArgumentParser
import CommandSupport
import Evals
import Traces
import Workspace

/// An argument for a run of the workspace.
struct EvalRunArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("Run: number, name, start of a name, or latest.", valueName: "run"),
        completion: EvalRunNames.completion)
    var word: String

    /// - Throws: `Problem` or `Problem` if no run of the workspace matches.
    func find(in store: EvalStore) throws -> Int64 {
        try EvalRunNames.number(of: word, in: store) { try store.find(word) }
    }
}

/// An argument for a run to rename or delete; the start of a name is rejected.
struct EvalWholeRunArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("Run: number, full name, or latest.", valueName: "run"),
        completion: EvalRunNames.completion)
    var word: String

    /// - Throws: `Problem` or `Problem` if no run of the workspace matches.
    func find(in store: EvalStore) throws -> Int64 {
        try EvalRunNames.number(of: word, in: store) { try store.find(whole: word) }
    }
}
