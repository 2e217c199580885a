"""What people look at: pages, pull-request comments and test reports, built from scorecards alone."""
