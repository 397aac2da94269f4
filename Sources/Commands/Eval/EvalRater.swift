import EvalLogs
import Glibc
import LanguageModels
import Workspace

/// Default name of the rater.
enum EvalRater {
    /// Login name of the user, even without environment variables.
    static var name: String {
        for variable in ["ORRERY_RATER", "USER", "LOGNAME"] {
            if let value = Workspace.variable(variable), !value.isEmpty { return value }
        }
        guard let entry = getpwuid(getuid()), let name = entry.pointee.pw_name, name.pointee != 0 else { return "me" }
        return String(cString: name)
    }
}

extension EvalSampleRecord {
    /// The sample without the run's verdict, so that a reviewer judges only the answer.
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
