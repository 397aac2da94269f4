internal import Console
internal import EvalLogs
internal import Evals
internal import Formatting
internal import Traces

/// Words and colors of runs in the panel.
enum EvalFigure {
    /// Returns a metric with its uncertainty: `0.873  95 % [0.851, 0.893]`, `0.873 ± 0.011`, or `0.873`.
    static func text(_ metric: EvalMetric) -> String {
        Format.metric(metric.value) + (sureness(metric).map { ($0.hasPrefix("±") ? " " : "  ") + $0 } ?? "")
    }

    /// Returns the uncertainty of a metric, such as `95 % [0.851, 0.893]`; `nil` if it was not reported.
    static func sureness(_ metric: EvalMetric) -> String? {
        if let interval = Format.interval(metric.lower, metric.upper) {
            return (metric.level.map { Format.share($0) + " " } ?? "") + interval
        }
        guard let error = metric.standardError, error.isFinite else { return nil }
        return "± \(Format.metric(error)) standard error"
    }

    /// Returns the name of a metric in tables: `answer`, `acc_norm`, `label f1_macro`.
    static func name(_ metric: EvalMetric, in run: EvalRun) -> String { metric.title(isAlone: run.scores.count < 2) }

    static func seconds(_ seconds: Double?) -> String {
        guard let seconds, seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "" }
        return Format.duration(seconds: seconds)
    }

    /// Returns the word for an outcome, with its color.
    static func outcome(_ outcome: EvalRow.Outcome) -> (word: String, role: Role) {
        switch outcome {
        case .passed: ("passed", .success)
        case .failed: ("failed", .failure)
        case .error: ("error", .warning)
        case .scored: ("scored", .text)
        case .unscored: ("unscored", .dim)
        }
    }

    static func sign(_ outcome: EvalRow.Outcome, _ glyphs: Glyphs) -> String {
        let sign: Unicode.Scalar =
            switch outcome {
            case .passed: glyphs.check
            case .failed: glyphs.failed
            case .error: "!"
            case .scored: glyphs.dot
            case .unscored: "?"
            }
        return String(Character(sign))
    }

    static func change(_ change: EvalChange) -> Role {
        switch change {
        case .fixed, .better: .success
        case .broken, .worse, .lost: .failure
        case .bothFail: .warning
        case .bothPass, .same, .unscored: .dim
        }
    }

    /// Returns the color of a pair. A sample that passes or fails as before can be better or worse.
    static func change(of pair: EvalPair) -> Role {
        switch pair.change {
        case .bothPass, .bothFail: pair.gain < 0 ? .failure : pair.gain > 0 ? .success : change(pair.change)
        default: change(pair.change)
        }
    }

    static func state(_ state: EvalRun.State) -> Role {
        switch state {
        case .running: .success
        case .done: .dim
        case .cancelled, .interrupted, .unfinished: .warning
        case .failed: .failure
        }
    }

    private static func word(_ cause: EvalProgress.Wait.Cause) -> String {
        switch cause {
        case .rateLimit: "rate limited by the server"
        case .retry: "retrying after a failure"
        case .queued: "waiting for a free slot"
        case .paused: "the run is paused"
        }
    }

    /// Returns a wait in words: `12 waiting: 429 Too Many Requests, Retry-After 1 s`.
    static func wait(_ wait: EvalProgress.Wait) -> String {
        var text = "\(Format.count(wait.count)) waiting: "
        text += wait.detail.isEmpty ? word(wait.cause) : wait.detail
        if let seconds = wait.seconds, seconds.isFinite, seconds >= 0 {
            text += ", next in \(Self.seconds(seconds))"
        }
        return text
    }
}

extension EvalMetric {
    /// Returns whether two runs can be compared by the metric.
    func isSameFigure(as other: EvalMetric) -> Bool { score == other.score && name == other.name }
}
