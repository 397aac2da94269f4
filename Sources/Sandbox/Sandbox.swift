internal import Glibc
internal import Synchronization
public import System

/// A sandbox of the operating system for untrusted programs, such as code written by a model.
///
/// ```swift
/// let sandbox = try Sandbox()
/// let outcome = try sandbox.run("/usr/bin/python3", ["-c", "print(6 * 7)"])
/// String(decoding: outcome.output, as: UTF8.self)  // "42\n"
/// ```
/// A program in it has no network, sees of the machine's files only the system's own ones, read-only, and writes into
/// /tmp, which is empty, bounded and gone afterwards. It has the environment that it is given and three descriptors.
/// Time, memory, processes and output are bounded, and nothing that it started outlives the run. Where the kernel
/// offers no such cage, there is none: nothing is ever run without.
public struct Sandbox: Sendable {
    public let tier: SandboxTier
    let views: [SandboxView]
    /// Where `bwrap` is; `nil` for the other tier.
    let bubblewrap: String?

    /// The first of `tiers` that holds on this machine, which is tried by starting a program; later ones ask no more.
    ///
    /// - Parameter readable: Further files and folders that programs may read, by absolute paths.
    public init(
        readable: [String] = [], tiers: [SandboxTier] = SandboxTier.allCases
    ) throws(Problem) {
        var further: [SandboxView] = []
        for path in readable {
            guard path.hasPrefix("/"), path.utf8.count > 1, !path.utf8.contains(0), !path.contains("/../"),
                path.utf8.count < 4000
            else {
                throw Problem(
                    .invalid, "sandbox", "\(path.prefix(100)) is not a valid readable path",
                    remedy: "Use an absolute path.")
            }
            guard let view = SandboxView(path, followsLinks: true) else {
                throw Problem(.missing, "sandbox", "readable path \(path) does not exist")
            }
            guard !Self.isHome(path) else {
                throw Problem(
                    .invalid, "sandbox", "\(path) is or contains a home folder, which programs may never read",
                    remedy: "Use a folder inside the home folder.")
            }
            further.append(view)
        }
        guard further.count <= 40 else { throw Problem(.limit, "sandbox", "more than 40 readable paths") }
        var problems: [String] = []
        for tier in tiers {
            switch Self.trial(of: tier, further) {
            case .success(let sandbox):
                self = sandbox
                return
            case .failure(let error): problems.append("\(tier.rawValue) (\(error.what))")
            }
        }
        throw Problem(
            .missing, "sandbox",
            "no sandbox works on this machine, so nothing was run: \(problems.joined(separator: ", "))",
            remedy:
                "Install bubblewrap (apt-get install bubblewrap), or allow user namespaces (sysctl user.max_user_namespaces)."
        )
    }

    /// Returns each tier with the reason it does not work on this machine; `nil` if it works.
    public static func probe() -> [(tier: SandboxTier, problem: String?)] {
        SandboxTier.allCases.map { tier in
            switch trial(of: tier, []) {
            case .success: (tier, nil)
            case .failure(let error): (tier, error.what)
            }
        }
    }

    init(tier: SandboxTier, views: [SandboxView], bubblewrap: String?) {
        self.tier = tier
        self.views = views
        self.bubblewrap = bubblewrap
    }

    private struct Trial: Hashable {
        var tier: SandboxTier
        var further: [SandboxView]
    }

    private static let trials = Mutex<[Trial: (result: Result<Sandbox, Problem>, time: Double)]>([:])

    /// Whether a tier holds: known from before, or by really starting a program in it.
    ///
    /// A success is cached for good, but a failure only for five seconds, because it may be due to a slow moment.
    private static func trial(of tier: SandboxTier, _ further: [SandboxView]) -> Result<Sandbox, Problem> {
        let key = Trial(tier: tier, further: further)
        if let known = trials.withLock({ $0[key] }) {
            if case .success = known.result { return known.result }
            if Clock.now(.monotonic) - known.time < 5 { return known.result }
        }
        let result: Result<Sandbox, Problem>
        do throws(Problem) {
            result = .success(try tried(tier, further))
        } catch {
            result = .failure(error)
        }
        return trials.withLock { trials in
            // If a concurrent attempt succeeded, its result counts.
            if case .success(let sandbox)? = trials[key]?.result { return .success(sandbox) }
            trials[key] = (result, Clock.now(.monotonic))
            return result
        }
    }

    private static func tried(_ tier: SandboxTier, _ further: [SandboxView]) throws(Problem) -> Sandbox {
        var bubblewrap: String?
        switch tier {
        case .bubblewrap:
            bubblewrap = program(named: "bwrap")
            guard bubblewrap != nil else { throw Problem(.invalid, "sandbox", "bwrap is not in PATH") }
        case .namespaces:
            guard SandboxStart.landlockVersion > 0 else {
                throw Problem(.unsupported, "sandbox", "the kernel does not support Landlock")
            }
        }
        let sandbox = Sandbox(tier: tier, views: SandboxView.system + further, bubblewrap: bubblewrap)
        let candidates = ["/usr/bin/true", "/bin/true"]
        guard let program = candidates.first(where: { path in access(path, X_OK) == 0 }) else {
            throw Problem(.missing, "sandbox", "/usr/bin/true is missing, so the sandbox cannot be tested")
        }
        let outcome = try sandbox.run(program, limits: SandboxLimits(seconds: 5))
        guard outcome.succeeded else {
            let said = String(decoding: outcome.standardError.prefix { $0 >= 0x20 }.prefix(200), as: UTF8.self)
            throw Problem(
                .missing, "sandbox",
                said.isEmpty ? "the test run failed: \(outcome.summary)" : "the test run failed: \(said)")
        }
        return sandbox
    }

    /// Returns the path of a program in the folders of `PATH`; `nil` if no folder has it.
    public static func program(named name: String) -> String? {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/\(name)" }.first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
    }
}
