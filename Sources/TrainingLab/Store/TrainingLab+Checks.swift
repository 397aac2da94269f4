internal import GRDB
public import Workspace

extension TrainingLab {
    /// What `orrery workspace check` looks at in the tables of runs.
    public static let checks = [
        Check("points of training runs") { db, examination in
            let row = try Workspace.Statement(
                db,
                """
                SELECT b.series, b.number, b.points, p.data FROM training_block b
                LEFT JOIN training_points p ON p.id = (b.series << 32 | b.number)
                """)
            while try row.step() {
                try examination.step()
                var points = SeriesPoints()
                let isWhole = (try? BlockCoding.decode(row.blob(3), into: &points)) != nil
                if !isWhole || points.count != row.int(2) {
                    examination.report("block \(row.int(1)) of training series \(row.int(0)) is damaged")
                }
            }
        },
        Check("most recent points of training runs") { db, examination in
            let row = try Workspace.Statement(db, "SELECT id, run, data FROM training_journal")
            while try row.step() {
                try examination.step()
                var points = SeriesPoints()
                let isWhole =
                    (try? Journal.forEachSection(of: row.blob(2)) { _, block in
                        points.removeAll()
                        try BlockCoding.decode(block, into: &points)
                    }) != nil
                if !isWhole {
                    examination.report("row \(row.int(0)) of the journal of training run \(row.int(1)) is damaged")
                }
            }
        },
    ]
}
