internal import Console
public import KernelLab
internal import Kernels

/// The machine's roof with each kernel on it, the ladder from the textbook to the limit, its sources, and GPU profiles
/// launch by launch: how far is this kernel from what is possible, and which idea brings it there?
package struct KernelPanel: Panel {
    package static let identifier = "kernels"
    package static let title = "Kernels"
    package static let opens: Set<Reference.Kind> = [.operation, .ownKernel, .profile, .launch]

    /// The panes, in the order of Tab.
    package enum Pane: String, CaseIterable, Sendable {
        case subjects, roof, ladder, detail
    }

    /// What the panes show.
    enum Shown: Sendable {
        case operation(OpenKernel)
        case own(OpenKernel)
        case profile(OpenProfile)
    }

    let engine: KernelEngine
    var area = Rect(Size(0, 0))
    var pane = Pane.subjects
    var isZoomed = false
    var subjects = SubjectList()
    var shown: Shown?
    /// What the machine can do, as it was measured last.
    var ceilings: Ceilings?
    /// Threads of the next measurement.
    var threads = 1
    var text = TextView([])
    var view = View.source
    /// What the list is to stand on once it has it.
    var wanted: KernelSubject?
    /// The sizes that were asked for and are not shown yet.
    var opening: (subject: KernelSubject, shape: String)?
    /// Why the last measurement of a kernel failed.
    var faults: [KernelSubject: String] = [:]
    /// Measurements in progress, by kernel.
    var measuring: [KernelSubject: Measuring] = [:]
    /// The measurement of the ceilings, if one is in progress.
    var measuringCeilings: Measuring?

    /// What the pane of text shows.
    enum View: String, CaseIterable, Sendable {
        case source, figures, history
    }

    package init(_ context: PanelContext) {
        self.init(context, seconds: 4)
    }

    /// - Parameter seconds: Of measuring all rungs of a ladder.
    package init(_ context: PanelContext, seconds: Double) {
        engine = KernelEngine(
            context.workspace, peaks: context.settings.peaks, seconds: seconds, now: context.now)
    }

    /// Measurements to show, with the ceilings first.
    var underWay: [Measuring] {
        [measuringCeilings].compactMap(\.self) + measuring.values.sorted { $0.title < $1.title }
    }

    /// Target of measuring, editing, and deleting: the row under the cursor in the list, otherwise the open kernel.
    var target: KernelSubject? { pane == .subjects ? subjects.selected?.subject : shownSubject }

    var shownSubject: KernelSubject? {
        switch shown {
        case .operation(let open), .own(let open): open.subject
        case .profile(let open): .profile(open.profile.summary.id)
        case nil: nil
        }
    }

    package var selection: Reference? {
        switch shown {
        case .operation(let open), .own(let open):
            let isOwn = if case .own = shown { true } else { false }
            return open.use.map { use in
                var reference = Reference(isOwn ? .ownKernel : .operation, [use], title: open.title)
                reference.onlyHere = "generations do not record the kernels that they run."
                return reference
            }
        case .profile(let open):
            let id = open.profile.summary.id
            var reference =
                open.selected.map { Reference(.launch, [id, Int64($0.ordinal)], title: $0.name) }
                ?? Reference(.profile, [id], title: open.profile.summary.title)
            reference.onlyHere = "profiles do not record which run they measured."
            return reference
        case nil: return nil
        }
    }

    package mutating func open(_ reference: Reference) -> [Effect<KernelAnswer>]? {
        guard let number = reference.path.first else { return nil }
        pane = .ladder
        let engine = engine
        switch reference.kind {
        case .operation: return [.ask(key: "open") { _ in .opened(try engine.open(use: number), rung: nil) }]
        case .ownKernel: return [.ask(key: "open") { _ in .opened(try engine.open(ownKernel: number), rung: nil) }]
        case .profile: return open(.profile(number))
        case .launch:
            let place = ProfilePlace(launch: reference.path.count > 1 ? Int(reference.path[1]) : nil)
            return open(.profile(number), place: place)
        default: return nil
        }
    }

    package mutating func update(_ event: Event<KernelAction, KernelAnswer>) -> [Effect<KernelAnswer>] {
        switch event {
        case .start(let saved): start(saved)
        case .action(let action): perform(action)
        case .mouse(let mouse): click(mouse)
        case .resize(let area): place(area)
        case .answer(let answer): receive(answer)
        case .failed(let key, let sentence): fail(key, sentence)
        case .changed: reload()
        }
    }
}

extension Reference.Kind {
    /// An operation with its sizes: `[row]` of the workspace's kernel uses.
    public static let operation = Reference.Kind(rawValue: "operation")
    /// A kernel of the person's own: `[row]`.
    public static let ownKernel = Reference.Kind(rawValue: "own-kernel")
    /// An imported profile: `[row]`.
    public static let profile = Reference.Kind(rawValue: "profile")
    /// A launch of a profile: `[row, ordinal]`.
    public static let launch = Reference.Kind(rawValue: "launch")
}

extension Reference {
    /// How the command line names an imported profile.
    public init(_ profile: ProfileSummary) { self.init(.profile, [profile.id], title: profile.title) }
}

/// What comes back to the kernel panel.
package enum KernelAnswer: Sendable {
    case subjects(SubjectRows)
    case ceilings(CeilingsBox)
    case measuredCeilings(CeilingsBox)
    case opened(OpenKernelBox, rung: String?)
    case profile(OpenProfileBox, at: ProfilePlace)
    case measured(OpenKernelBox)
    case imported(ProfileImportReport)
    case added(String)
    case done(String)
    case deleted(SubjectBox, String)
    case line(Line, String)
    case lineCancelled(Line)
    case edited(String)
    case watched(path: String, stamp: Int64)
    case advanceText

    /// What a line was asked for.
    package enum Line: Hashable, Sendable {
        case size, find, filter, importPath, addPath, compare, export
        case delete(SubjectBox)
    }
}

/// Values of this panel alone, passed through the shell.
package struct SubjectRows: Sendable { let rows: [SubjectList.Row] }
package struct SubjectBox: Hashable, Sendable { let subject: KernelSubject }
package struct CeilingsBox: Sendable {
    let ceilings: Ceilings?
    package init(ceilings: Ceilings?) { self.ceilings = ceilings }
}
package struct OpenKernelBox: Sendable { var open: OpenKernel }
package struct OpenProfileBox: Sendable { let open: OpenProfile }

/// Where the reader of a profile stands: the launch under the cursor, the order, the filter.
package struct ProfilePlace: Sendable {
    var launch: Int?
    var row: Int?
    var sort: OpenProfile.Sort?
    var filter: String?
}
