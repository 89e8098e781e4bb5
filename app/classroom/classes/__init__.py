"""What is stored of classes."""
