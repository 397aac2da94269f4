import Glibc
import LanguageModels
import Traces
import Workspace

/// Who rates where nobody says so.
enum EvalRater {
    /// The name under which the person is logged in, also where no variable tells it.
    static var name: String {
        for variable in ["ORRERY_RATER", "USER", "LOGNAME"] {
            if let value = Workspace.variable(variable), !value.isEmpty { return value }
        }
        guard let entry = getpwuid(getuid()), let name = entry.pointee.pw_name, name.pointee != 0 else { return "me" }
        return String(cString: name)
    }
}

extension EvalSampleRecord {
    /// Without what the run says of it, so that a person judges the answer alone.
    var blind: EvalSampleRecord {
        var blind = self
        blind.scores = []
        blind.row.outcome = .unscored
        blind.row.scores = []
        if row.outcome != .error { blind.row.problem = nil }
        blind.steps.removeAll { $0.kind == .evaluator }
        blind.failingStep = nil
        return blind
    }
}
