internal import Glibc
internal import Sandbox
import System
internal import TestFixtures
internal import Testing

/// A tier to test, with the helpers that the tests need.
struct SandboxTrial: Sendable, CustomTestStringConvertible {
    var tier: SandboxTier
    var testDescription: String { tier.rawValue }

    static let all = SandboxTier.allCases.map { SandboxTrial(tier: $0) }
    static let python: String? = {
        let paths = ["/usr/bin/python3", "/usr/local/bin/python3"]
        return paths.first { (path: String) in access(path, X_OK) == 0 }
    }()

    /// The cage. A test is canceled where its tier does not hold on this machine.
    func sandbox(readable: [String] = []) throws -> Sandbox {
        do throws(Problem) {
            return try Sandbox(readable: readable, tiers: [tier])
        } catch {
            try Test.cancel("\(tier.rawValue) does not hold here: \(error.sentence)")
        }
    }

    /// A cage of any tier. A test is canceled where none holds on this machine.
    static func any() throws -> Sandbox {
        do throws(Problem) { return try Sandbox() } catch {
            try Test.cancel("no tier holds here: \(error.sentence)")
        }
    }

    /// What a Python program does in the cage. A test is canceled where there is no Python.
    func python(
        _ program: String, limits: SandboxLimits = SandboxLimits(), readable: [String] = [],
        environment: [(name: String, value: String)] = [], isCancelled: () -> Bool = { false }
    ) throws -> SandboxOutcome {
        let sandbox = try sandbox(readable: readable)
        guard let python = Self.python else { try Test.cancel("the system has no python3") }
        return try sandbox.run(
            python, ["-c", program], environment: environment, limits: limits, isCancelled: isCancelled)
    }
}

extension SandboxOutcome {
    var text: String { String(decoding: output, as: UTF8.self) }
    var errorText: String { String(decoding: standardError, as: UTF8.self) }
}
