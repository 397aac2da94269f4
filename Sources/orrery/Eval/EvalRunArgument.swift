import ArgumentParser
import Evals
import Traces
import Workspace

/// Which run of the workspace a command works on.
struct EvalRunArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("A run: its number, its name or the beginning of it, or latest.", valueName: "run"),
        completion: EvalRunNames.completion)
    var word: String

    func find(in store: EvalStore) throws -> Int64 { try EvalRunNames.number(of: store.find(word), called: word) }
}

/// Which run of the workspace a command changes for good: a beginning of its name will not do.
struct EvalWholeRunArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("A run: its number, its whole name, or latest.", valueName: "run"),
        completion: EvalRunNames.completion)
    var word: String

    func find(in store: EvalStore) throws -> Int64 {
        try EvalRunNames.number(of: store.find(whole: word), called: word)
    }
}
