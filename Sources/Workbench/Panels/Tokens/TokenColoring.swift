internal import Console
internal import Foundation
internal import LanguageModels

/// Quantities that color the tokens.
enum TokenColoring: String, CaseIterable, Sendable {
    /// Probability of the token.
    case probability
    /// Entropy of the distribution before the token.
    case entropy
    /// Time of the token, relative to the median of the answer.
    case time
    /// Author: the template, the user, a tool, or the model.
    case origin
    case none

    var next: TokenColoring {
        let all = Self.allCases
        return all[(all.firstIndex(of: self)! + 1) % all.count]
    }

    /// Returns the color role of an answer's token; `nil` if the provider does not report the value.
    func role(of step: TokenStep, medianSeconds: Double?) -> Console.Role? {
        switch self {
        case .probability:
            guard let log = step.logProbability else { return nil }
            return Self.heat(exp(log), steps: [0.5, 0.2, 0.05, 0.01], isHotBelow: true)
        case .entropy:
            return step.entropy.map { Self.heat($0, steps: [0.7, 1.5, 2.5, 4], isHotBelow: false) }
        case .time:
            guard let seconds = step.seconds, let median = medianSeconds, median > 0 else { return nil }
            return Self.heat(seconds / median, steps: [1.25, 1.6, 2.5, 5], isHotBelow: false)
        case .origin: return Self.role(of: .assistant)
        case .none: return .text
        }
    }

    /// Returns the color role of a prompt token.
    func role(of token: PromptToken) -> Console.Role { self == .origin ? Self.role(of: token.origin) : .dim }

    static func role(of origin: TokenOrigin) -> Console.Role {
        switch origin {
        case .template: .faint
        case .system: .keyword
        case .user: .info
        case .assistant: .text
        case .tool: .code
        }
    }

    /// Labels of the color scale, for the line below the text.
    var legend: [(text: String, role: Console.Role)] {
        switch self {
        case .probability:
            [("≥ 50 %", .text), ("20", .heat1), ("5", .heat2), ("1", .heat3), ("less", .heat4)]
        case .entropy:
            [("≤ 0.7 nat", .text), ("1.5", .heat1), ("2.5", .heat2), ("4", .heat3), ("more", .heat4)]
        case .time:
            [("≤ 1.25 × median", .text), ("1.6", .heat1), ("2.5", .heat2), ("5", .heat3), ("more", .heat4)]
        case .origin:
            TokenOrigin.allCases.map { ($0.name, Self.role(of: $0)) }
        case .none: []
        }
    }

    private static let heats: [Console.Role] = [.text, .heat1, .heat2, .heat3, .heat4]

    private static func heat(_ value: Double, steps: [Double], isHotBelow: Bool) -> Console.Role {
        heats[steps.firstIndex { isHotBelow ? value >= $0 : value <= $0 } ?? steps.count]
    }
}
