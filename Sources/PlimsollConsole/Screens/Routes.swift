extension Route {
    /// Every address of the console that asks who is there.
    static let all: [Route] =
        OverviewScreen.routes + ChangesScreen.routes + ChangeScreen.routes + SessionsScreen.routes
        + LiveFeed.routes + ProposeScreen.routes + RollbackScreen.routes + BlockScreen.routes
        + ReceiptScreen.routes
        + PreviewScreen.routes + HistoryScreen.routes + RecordExport.routes
        + CompareScreen.routes + DocumentScreen.routes + ReleasesScreen.routes
        + ReleaseScreen.routes
}
